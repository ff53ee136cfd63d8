#include "schedule/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "refusal.hpp"
#include "sample_schedules.hpp"

namespace cairn {
namespace {

void expect_round_trip(const Schedule& s) {
  const std::string text = print(s);
  const Schedule back = parse_schedule(text);
  EXPECT_TRUE(back == s) << text;
  EXPECT_EQ(print(back), text);
}

std::string refusal(const std::string& text) {
  return testing::refusal([&] { parse_schedule(text); });
}

const std::string head = "cairn-schedule 1\nalgorithm x\nproblem m=4 n=4 k=4 ranks=4\ngrid g {i:2, j:2}\nslots\n";

TEST(ScheduleText, ParsesBackEveryCosmaSchedule) {
  for (const char* cuts : {"pm1", "pm2", "pn2", "pk2", "pm2,pn2,pk2", "pm2,pn3,pk2,sm2,sk3", "pk2,pm2,pk3", "sk4",
                           "sm2,sn3,sk2", "pm2,sm2,pn2,sn2,pk2,sk2", "pm2,pm2,pm3", "pk3,pk2,sn2,pn2"})
    for (auto [m, n, k] : {std::tuple<Int, Int, Int>{64, 64, 64}, {7, 13, 5}, {1, 100, 3}, {0, 4, 0}}) {
      SCOPED_TRACE(cuts);
      expect_round_trip(samples::cosma_of(m, n, k, 16, cuts));
    }
}

TEST(ScheduleText, ParsesBackLayoutsOnTheCallersGrids) {
  const Schedule s = samples::caller_layouts();
  expect_round_trip(s);
  const std::string text = print(s);
  EXPECT_NE(text.find("grid g1 {pr:2, pc:3}"), text.npos) << text;
  EXPECT_NE(text.find("input   on g1 A[0:12/[pr-1]%2%b3, 0:8/pc%b2] col"), text.npos) << text;
  EXPECT_NE(text.find("blocks rows {0,5,8} cols {0,3,3,10} owners {4,1,4; 0,7,2}"), text.npos);
}

TEST(ScheduleText, ParsesBackAllOfTheNotation) { expect_round_trip(samples::everything()); }

TEST(ScheduleText, ParsesBackAScheduleOfNothing) {
  Schedule s;
  expect_round_trip(s);
  for (const char* algorithm : {" ", "a\nb", "x # y", "\"", "carma", "\t", "a  b", "a ", "\x01"}) {
    s.algorithm = algorithm;
    expect_round_trip(s);
  }
}

TEST(ScheduleText, WritesCutsAsTheHeadersDo) {
  const Grid g({{"i", 2}, {"j", 3}, {"l", 2}});
  const char* expected[] = {"j",
                            "2@4",
                            "-3@4",
                            "3*",
                            "[j]%5",
                            "[i+j]%2",
                            "[i-2j-7]%3",
                            "i%b64",
                            "i%b64.7",
                            "[-j+1]%4%b3.0",
                            "i{0,3,10}",
                            "0@1{4,4}",
                            "[12i]%3{0,0,5,1000}",
                            "j%s2",
                            "[j-1]%5%s3",
                            "[i]%8%g4",
                            "3@8%g1",
                            "i%b64{0,1;;1}",
                            "0@1%b1.0{}",
                            "[i]%3%b4.1{0,2;1,0;...}",
                            "&[i-1]%4",
                            "&3@8%g2"};
  std::size_t at = 0;
  for (const Cut& cut : samples::every_cut(g)) {
    SlotInfo slot{"A", {}, SlotInfo::Role::operand, -1};
    slot.layout.grid = g;
    slot.layout.cols = {{0, 9}, {cut}};
    EXPECT_EQ(print(slot, g), std::string("A[0:0, 0:9/") + expected[at++] + "]");
  }
}

TEST(ScheduleText, WritesAStepOnOneLine) {
  const Schedule s = samples::everything();
  const std::string text = print(s);
  for (const char* line :
       {"     1  %1 = bcast %0 along j from i+2l2+3 @every_step.cpp:1",
        "     3  %1 = allgather %0 along l2 @every_step.cpp:3", "     4  %1 = shift %2 along j by -i @every_step.cpp:4",
        "     5  %1 = shift %2 along j by 2 where j-(i+2l2+3) in 1:2 @every_step.cpp:5",
        "%1 = reduce %0 along j to i+2l2+3", "%1 += reducescatter %0 along l2", "%1 += add %0 along j @",
        "%1 += add %0 along j where j-(i) in 0:3 @", "%1 += redistribute conj %0 @", "%2 = beta %2 + gemm %0 %1 @",
        "%1 = shift %2 along j by -1 where j-(i) in 1:3 every 4 @",
        "%1 = shift %2 along j by -1 where j in 0:3 every 4 for 2 @", "%1 = bcast %0 along j from i+2l2+3 by chain:8 @",
        "%1 = allgather %0 along j by bruck @", "%1 = beta %1 + reducescatter %0 along j by halving @"})
    EXPECT_NE(text.find(line), text.npos) << line << "\nnot in\n" << text;
}

TEST(ScheduleText, LeavesOutSourcesOnRequest) {
  Schedule s = samples::cosma_of(64, 64, 64, 8, "pm2,pn2,pk2");
  const std::string text = print(s, {.sources = false});
  EXPECT_EQ(text.find("cosma_rounds.cpp"), text.npos);
  EXPECT_NE(print(s).find("@cosma_rounds.cpp:"), text.npos);
  for (LabelledStep& step : s.steps) step.source.clear();
  EXPECT_TRUE(parse_schedule(text) == s);
}

TEST(ScheduleText, SaysTheMostWordsARankHolds) {
  for (const char* cuts : {"pm3,pn2,sk3", "pk3,pk2,sm2,sn3", "pm2,sm3,sm2"}) {
    const Schedule s = samples::cosma_of(17, 19, 23, 8, cuts);
    const std::string text = print(s);
    for (std::size_t x = 0; x < s.slots.size(); ++x) {
      Int most = 0;
      for (Int r = 0; r < s.ranks; ++r) most = std::max(most, s.slots[x].layout.words(r));
      const std::size_t line = text.find("\n  %" + std::to_string(x) + " ") + 1;
      const std::string said = text.substr(line, text.find('\n', line) - line);
      EXPECT_EQ(std::stoll(said.substr(said.find('#') + 1)), most) << said;
    }
  }
}

TEST(ScheduleText, ReadsWhatPeopleType) {
  const Schedule s = parse_schedule(
      "# by hand\r\n\r\ncairn-schedule 1\n\talgorithm by hand   # a note\nproblem m = 4 n=4 k=4 "
      "ranks=4\ngrid g { i : 2,j:2}\n\nslots\n%0 input A [ 0:4 / ( j ) , 0:4 ] row\n"
      "%1 panel A[0:4,0:4]col\nsteps\n%1=allgather%0 along j\n  # done\n"
      "2 %1 = bcast %0 along j from 2i - 1 + 1j");
  EXPECT_EQ(s.algorithm, "by hand");
  EXPECT_EQ(s.layout(0).rows.cuts, std::vector{Cut::even(s.grid, 1)});
  EXPECT_EQ(s.steps.size(), 2u);
}

TEST(ScheduleText, RefusesNamingThePlace) {
  EXPECT_EQ(refusal(""), "line 1, column 1: expected 'cairn-schedule', found the end of the line");
  EXPECT_EQ(refusal("cairn-schedule 2\n"), "line 1, column 16: expected format from 1 to 1, found \"2\"");
  EXPECT_EQ(refusal(head + "  %1 input A[0:4, 0:4] col\n"),
            "line 6, column 4: expected slot from 0 to 0, found \"1 input A[0:4, 0:4] col\"");
  EXPECT_EQ(refusal(head + "  %0 input A[0:4/q, 0:4] col\n"),
            "line 6, column 18: no axis is called q, the grid has i, j");
  EXPECT_EQ(refusal(head + "steps\n  %0 = gemm %0 %0\n"),
            "line 7, column 3: expected a slot that comes earlier, of which there are none, found \"%0 = gemm %0 %0\"");
}

TEST(ScheduleText, RefusesLayoutsThatMeanNothing) {
  const auto slot = [](const std::string& rows, const std::string& more = "") {
    return refusal(head + "%0 input A[" + rows + ", 0:4] col" + more + "\nsteps\n");
  };
  EXPECT_EQ(slot("0:4/i"), "accepted");
  for (const char* rows : {"4:0",
                           "-1:4",
                           "0:99999999999999999999",
                           "0:4/0*",
                           "0:4/1@0",
                           "0:4/[i]%0",
                           "0:4/[i]",
                           "0:4/[i+i]%2",
                           "0:4/[0i]%2",
                           "0:4/[1+2]%2",
                           "0:4/i%b0",
                           "0:4/i%s0",
                           "0:4/&3*",
                           "0:4/&i%b64",
                           "0:4/&i{0,2,4}",
                           "0:4/&&i",
                           "0:4/i%g",
                           "0:4/i{0,4}",
                           "0:4/i{0,3,2}",
                           "0:4/i{}",
                           "0:4/()",
                           "0:4/(i",
                           "0:4/i,j",
                           "0:4/[1152921504606846976i]%2",
                           "0:4/9999999999*",
                           "0:4/[i+j+l]%2",
                           "0:4/\"i"})
    EXPECT_NE(slot(rows), "accepted") << rows;
  for (const char* more : {" at i=2", " at k=0", " of %0", " of %-1", " on g", " blocks rows {0,4} cols {0,4}",
                           " blocks rows {0,3} cols {0,4} owners {0}", " blocks rows {0,4} cols {0,4} owners {4}",
                           " blocks rows {0,2,4} cols {0,4} owners {0,1}", " by columns", " col"})
    EXPECT_NE(slot("0:4", more), "accepted") << more;
  EXPECT_NE(refusal(head + "%0 view A[0:4, 0:4] col\nsteps\n"), "accepted");
  EXPECT_NE(refusal(head + "%0 input A[0:4, 0:4] col\n%1 view A[0:4, 0:4] col only\nsteps\n"), "accepted");
  EXPECT_NE(refusal(head + "%0 input on h A[0:4, 0:4] col\nsteps\n"), "accepted");
}

TEST(ScheduleText, RefusesStepsThatCannotBeRead) {
  const auto step = [](const std::string& text) {
    return refusal(head + "%0 input A[0:4, 0:4] col\n%1 output C[0:4, 0:4] col\nsteps\n" + text);
  };
  EXPECT_EQ(step("%1 = gemm %0 %0"), "accepted");
  for (const char* text : {"%2 = gemm %0 %0",
                           "%1 = gemm %0",
                           "%1 = beta %0 + gemm %0 %0",
                           "%1 += bcast %0 along j from 0",
                           "%1 = beta %1 + shift %0 along j by 1",
                           "%1 = allgather %0",
                           "%1 = allgather %0 along l",
                           "%1 = reduce %0 along j from 0",
                           "%1 = add %0 along j where i in 0:1",
                           "2 %1 = gemm %0 %0",
                           "%1 = shift %0 along j by",
                           "%1 = gemm %0 %0 @",
                           "%1 = gemm %0 %0 @\"\\q\"",
                           "%1 gemm %0 %0",
                           "%1 = multiply %0 %0",
                           "%1 = gemm %0 %0 %0",
                           "%1 = shift %0 along j by 1 where j in 2:1",
                           "%1 = shift %0 along j by 1 where j in 0:2 every 0",
                           "%1 = allgather %0 along j by",
                           "%1 = allgather %0 along j by chain",
                           "%1 = allgather %0 along j by open",
                           "%1 = bcast %0 along j from 0 by flat:2",
                           "%1 = bcast %0 along j from 0 by chain:0"})
    EXPECT_NE(step(text), "accepted") << text;
}

TEST(ScheduleText, RefusesAbsurdCounts) {
  const std::string start = "cairn-schedule 1\nalgorithm x\nproblem m=4 n=4 k=4 ranks=4\n";
  const auto refused = [&](const std::string& grids) {
    return refusal(start + grids + "slots\nsteps\n") != "accepted";
  };
  EXPECT_FALSE(refused("grid g {i:2, j:2}\n"));
  EXPECT_TRUE(refused("grid g {i:2, j:3}\n"));
  EXPECT_TRUE(refused("grid g {i:2, i:2}\n"));
  EXPECT_TRUE(refused("grid g {i:0}\n"));
  EXPECT_TRUE(refused("grid g {\"\":1}\n"));
  EXPECT_TRUE(refused("grid g {}\ngrid g {}\n"));
  EXPECT_TRUE(refused("grid g {}\ngrid h {a:65536, b:65536}\n"));
  std::string axes, grids;
  for (int a = 0; a < 65; ++a) axes += fmt::format("{}a{}:1", a > 0 ? "," : "", a);
  for (int g = 0; g < 1025; ++g) grids += fmt::format("grid g{} {{}}\n", g);
  EXPECT_TRUE(refused("grid g {" + axes + "}\n"));
  EXPECT_TRUE(refused(grids));
}

TEST(LayoutText, BeginsWithWhatARankHas) {
  const std::string text = text_of(Layout::row_blocks(4, 6, 2, Order::col));
  EXPECT_EQ(text.find("[0:4/"), 0U) << text;
}

TEST(Label, NamesTheStepItsMatricesAndItsSource) {
  Schedule s = samples::cosma_of(64, 64, 64, 8, "pm2,pn2,pk2");
  for (LabelledStep& step : s.steps) step.source = "cosma.cpp:41";
  EXPECT_EQ(label(s, 0), "step 1/4 allgather A[0:64/i, 0:64/(l,j)] -> A[0:64/i, 0:64/l] along j (cosma.cpp:41)");
  EXPECT_EQ(label(s, 2), "step 3/4 gemm A[0:64/i, 0:64/l] B[0:64/l, 0:64/j] -> C+[0:64/i, 0:64/j] (cosma.cpp:41)");
}

TEST(Label, IsMadeOfBrokenStepsToo) {
  Schedule s;
  s.slots.push_back({"A", {}, SlotInfo::Role::operand, -1});
  s.steps.push_back({Bcast{-1, 7, 3, Affine::along(-2)}, ""});
  EXPECT_EQ(label(s, 0), "step 1/1 bcast %-1 -> %7 along ?3 from ?-2");
}

}  // namespace
}  // namespace cairn
