import type { FigureCounts, FigureRow } from '../ports/store/figures.ts'
import type { Writing } from './database/writer.ts'

/** There are few rows, because reasons are words of ours; a bound in case one is not. */
const MOST_ROWS = 1000

/** The counts that the schema's triggers keep for the metrics. */
export function figureStore({ db }: Writing): FigureCounts {
  const select = db.prepare<[number], FigureRow>('SELECT name, a, b, value FROM figure ORDER BY name, a, b LIMIT ?')
  const bounds = db.prepare<[], { le: number }>('SELECT le FROM figure_bucket ORDER BY le')
  return {
    figures: () => select.all(MOST_ROWS),
    figureBuckets: () => bounds.all().map(({ le }) => le),
  }
}
