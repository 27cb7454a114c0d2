import { chosenTests } from '@beadloom/core/execution/choose-tests.ts'
import type { Verification, VerifyStep } from '@beadloom/core/records/verification.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

const MOST_PACKAGE_BYTES = 1024 ** 2

/** The scripts of the root's package.json, which `npm test` and its like run. None if it cannot be read. */
export async function scriptsAt(
  { deps: { hub }, project }: LiveExecution,
  commit: string,
): Promise<Record<string, string>> {
  try {
    const text = await hub.readFile(project.id, commit, 'package.json', MOST_PACKAGE_BYTES)
    const { scripts } = JSON.parse(text ?? '{}') as { scripts?: unknown }
    const all = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
    return Object.fromEntries(all.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

/** The builds that ran before a test in the same run of a verification: the test may need their output. */
export const buildsBefore = (rows: readonly Verification[], row: Verification): Verification[] =>
  rows
    .slice(0, rows.indexOf(row))
    .filter(({ type, run, passed, onBase }) => type === 'build' && run === row.run && passed && !onBase)

/** A row's check again, limited to so many milliseconds; `command` replaces its own. */
export const stepAgain = (
  { type, name, command: own }: Verification,
  timeoutMs: number,
  command: string = own,
): VerifyStep => ({ type, name, command, timeoutMs })

/** A row's command for these files' tests alone, or null: it cannot choose. */
export const chosenOf = (
  { command, tool }: Verification,
  files: readonly string[],
  scripts: Record<string, string>,
): string | null => chosenTests({ command, tool, files, scripts })
