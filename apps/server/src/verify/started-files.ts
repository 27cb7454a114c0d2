import { followed } from '@beadloom/core/tamper/started/followed.ts'
import type { StartedFiles } from '@beadloom/core/tamper/started/weaker-start.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { DiffFile } from '../ports/hub/diffs.ts'

/** A script that people write is never longer. */
const FILE_BYTES = 128 * 1024
const MOST_FILES = 200
const MOST_PATHS = 20_000
/** A script starts one that starts another: nobody goes deeper. */
const MOST_ROUNDS = 8

type Texts = { files: Map<string, string | null>; paths: readonly string[]; unread: string[] }

/** The commands of a project's checks. */
export const commandsOfChecks = ({ settings }: LiveExecution): string[] => settings.verify.map(({ command }) => command)

/** The files behind the checks' commands on both commits; null: the change has none of them. */
export async function startedFiles(
  live: LiveExecution,
  { base, commit }: { base: string; commit: string },
  all: readonly DiffFile[],
): Promise<StartedFiles | null> {
  const before = await textsAt(live, base)
  const changed = new Set(all.flatMap(({ path, oldPath }) => [path, oldPath ?? path]))
  // Places where the commands look for a file that is not there are among them.
  if (![...before.files.keys()].some((path) => changed.has(path))) return null
  const after = await textsAt(live, commit)
  return {
    before: [...before.files],
    after: [...after.files],
    pathsBefore: before.paths,
    pathsAfter: after.paths,
    unread: after.unread,
  }
}

/** Paths of a commit's files that the checks start and a change only edits, without the settings that build a project. */
export async function startedPaths(live: LiveExecution, base: string, all: readonly DiffFile[]): Promise<string[]> {
  const { files, paths } = await textsAt(live, base)
  const started = new Set(followed(commandsOfChecks(live), files, paths).parts.map(({ path }) => path))
  return all.flatMap(({ path, status }) =>
    status === 'M' && started.has(path) && !/(?:^|\/)(?:package\.json|(?:GNU)?[Mm]akefile|[^/]*\.mk)$/.test(path)
      ? [path]
      : [],
  )
}

async function textsAt(live: LiveExecution, commit: string): Promise<Texts> {
  const { deps, project } = live
  const found: Texts = { files: new Map(), paths: [], unread: [] }
  const commands = commandsOfChecks(live)
  for (let round = 0; round < MOST_ROUNDS && found.files.size < MOST_FILES; round++) {
    const { wanted } = followed(commands, found.files, found.paths)
    const isPattern = (path: string): boolean => path.includes('*')
    const names = wanted.filter((path) => !isPattern(path)).slice(0, MOST_FILES)
    const asksForPaths = wanted.some(isPattern)
    if (names.length === 0 && !asksForPaths) break
    if (asksForPaths) found.paths = await deps.hub.paths(project.id, commit, MOST_PATHS)
    const unread = new Set<string>()
    const texts = await deps.hub.readFiles(project.id, commit, names, FILE_BYTES, unread)
    for (const path of names) found.files.set(path, texts.get(path) ?? null)
    found.unread.push(...unread)
  }
  return found
}
