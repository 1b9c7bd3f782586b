/** Stacked bars, one per day or month. Negative values hang below the line. */
export interface BarPlot {
  /** The id of the element on the page. */
  readonly id: string;
  readonly title: string;
  /** The heading of the table's first column. */
  readonly ofBars: string;
  readonly bars: readonly {
    readonly name: string;
    /** The label under the bar; null if only some bars have labels. */
    readonly tick: string | null;
  }[];
  readonly series: readonly {
    readonly name: string;
    /** One of `1` to `4`: its colour. */
    readonly colour: 1 | 2 | 3 | 4;
    /** One value per bar. */
    readonly values: readonly number[];
  }[];
  /** Formats a value: `R$ 1.234,56`. */
  readonly format: (value: number) => string;
  /** Formats a value for the axis, which has little room: `1,2 mil`. */
  readonly formatTick: (value: number) => string;
  readonly words: {
    readonly table: string;
    /** Instead of bars without a height. */
    readonly empty: string;
    readonly total: string;
    /** Says how a keyboard reaches the bars. */
    readonly choose: string;
  };
}
