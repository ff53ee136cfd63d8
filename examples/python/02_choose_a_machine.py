# Plans need no MPI: what one product costs by several algorithms, on the machine of a paper. `compare` draws it.
# run: python examples/python/02_choose_a_machine.py
# expect: cosma is the fastest of cosma, summa, cannon

import cairn

plans = {name: cairn.plan(16384, 16384, 16384, ranks=1024, algorithm=name, machine="piz-daint") for name in ("cosma", "summa", "cannon")}
fastest = min(plans, key=lambda name: plans[name].predicted_seconds)
print(fastest, "is the fastest of", ", ".join(plans))
