import type { ToolReport } from '../digest-tool.ts'
import type { ErrorList } from './error-list.ts'
import { counted } from '../../text/count-text.ts'

/**
 * The report of a linter, without warnings.
 *
 * @param told the linter's own count of errors; 0 if it did not get that far
 */
export function lintReport(tool: string, { count, kept }: ErrorList, files: number, told = 0): ToolReport {
  const failures = Math.max(count, told)
  const summary =
    failures === 0
      ? `${tool} found no errors`
      : `${counted(failures, 'lint error')} in ${counted(Math.max(1, files), 'file')}:`
  return { failures, summary, findings: kept, collected: null }
}

/** Behind the place in a summary, if no finding changes what the code does. */
export const FORMATTING_ALONE = ', about formatting alone'

/** Distinct files, counted up to a limit. A wrong number beyond it does no harm. */
export class FileSet {
  readonly #names = new Set<string>()
  add(name: string): void {
    if (this.#names.size < 10_000) this.#names.add(name.slice(0, 500))
  }
  get size(): number {
    return this.#names.size
  }
}
