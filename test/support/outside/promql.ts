import { parser } from '@prometheus-io/lezer-promql';

/** A series that an expression asks for, and the labels by which it chooses. */
export interface AskedSeries {
  readonly name: string;
  readonly labels: readonly string[];
}

/**
 * The series that an expression in PromQL asks for, by Prometheus' own grammar.
 * @throws where it is no PromQL. Grafana's variables must have been filled in.
 */
export function seriesIn(expression: string): AskedSeries[] {
  const asked: { name: string; labels: string[] }[] = [];
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') asked.push({ name: '', labels: [] });
      const last = asked.at(-1);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector' && last)
        last.name = textOf(node);
      if (node.name === 'LabelName' && node.node.parent?.name.endsWith('LabelMatcher') && last)
        last.labels.push(textOf(node));
    },
  });
  return asked;
}
