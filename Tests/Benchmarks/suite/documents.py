"""Writing an answer as JSON, beside Foundation's encoder, which has to make the same bytes."""

from figures import compare, interleaved


def run(stack):
    figures = []
    for name, spots in (("a spot", 1), ("a page of twenty", 20)):
        write = lambda writer: stack.measured(*stack.benchmarks(
            "documents", "--writer", writer, "--spots", spots, "--seconds", stack.seconds))
        results = interleaved(stack.rounds, kampong=lambda: write("kampong"), Foundation=lambda: write("foundation"))
        figures += compare(f"{name} as JSON: p50", "µs", results, "p50", ["Foundation"])
    return figures
