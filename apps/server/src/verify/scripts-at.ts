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
