import { readFile, stat } from 'node:fs/promises'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { readPlanText } from '@beadloom/core/plan/read-plan.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { CliError } from '../exit-code.ts'

/** No plan is this long. A file of another kind that was named by mistake is not read into memory. */
const MOST_BYTES = 4 * 1024 ** 2

/** The text of a file; "-" is standard input. */
export async function textOf(file: string): Promise<string> {
  if (file === '-') {
    let text = ''
    for await (const piece of process.stdin.setEncoding('utf8')) {
      text += String(piece)
      if (text.length > MOST_BYTES) throw new CliError('what came on standard input is too large for a plan')
    }
    return text
  }
  try {
    if ((await stat(file)).size > MOST_BYTES) throw new CliError(`${file} is too large for a plan`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${file} cannot be read: ${messageOf(error)}`)
  }
}

/** The plan in a file, and the version that it was printed from; null if it was written by hand. */
export function planIn(text: string, file: string): { plan: unknown; onto: number | null } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const read = readPlanText(text)
    throw new CliError(`${file}: ${'problems' in read ? read.problems.join(' ') : 'not one JSON document'}`)
  }
  if (typeof value !== 'object' || value === null || !('version' in value) || !('phases' in value))
    return { plan: value, onto: null }
  const { goal, planMarkdown, subtasks, version } = value as Partial<PlanView>
  return { plan: { goal, planMarkdown, subtasks }, onto: typeof version === 'number' ? version : null }
}
