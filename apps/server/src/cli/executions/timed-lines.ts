import { timeForm, withTimes, type TimeForm } from '@beadloom/core/log/line-times.ts'
import { MARKED_LINES, type LogMarks } from '@beadloom/core/log/log-marks.ts'
import { segment, type ApiClient } from '../api-client.ts'

/** Lines of one session that wait for their times. */
export class TimedLines {
  readonly #api: Pick<ApiClient, 'get'>
  readonly #path: string
  readonly #form: TimeForm
  #waiting: { text: string; first: number }[] = []

  constructor(api: Pick<ApiClient, 'get'>, session: string, zone: string) {
    this.#api = api
    this.#path = `/api/sessions/${segment(session)}/log/marks`
    this.#form = timeForm(zone)
  }

  /** Takes whole lines; the first one has the number `first`. */
  take(text: string, first: number): void {
    this.#waiting.push({ text, first })
  }

  /** Gives the taken lines once, each with its time before it. */
  async *given(): AsyncGenerator<string> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { text, first } = next
      yield withTimes(text, first, await this.#times(first, countLines(text)), this.#form)
    }
  }

  /**
   * The times; empty while the server is away: a line without its time is better than no line, and it comes only once.
   */
  async #times(first: number, count: number): Promise<LogMarks['times']> {
    const times: LogMarks['times'] = []
    try {
      for (let from = first; from < first + count; from += MARKED_LINES) {
        const to = Math.min(first + count, from + MARKED_LINES)
        times.push(...(await this.#api.get<LogMarks>(`${this.#path}?from=${from}&to=${to}`)).times)
      }
    } catch {
      return times
    }
    return times
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
