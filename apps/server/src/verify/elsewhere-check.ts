import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { runsBy } from '@beadloom/core/elsewhere/elsewhere-files.ts'
import { isPackage, packageRuns } from '@beadloom/core/elsewhere/package-runs.ts'
import {
  askedAbout,
  asksFor,
  elsewhereTexts,
  NOTHING_ELSEWHERE,
  worstFirst,
  type Elsewhere,
} from '@beadloom/core/elsewhere/elsewhere-words.ts'
import { notAllowed, whoAllowed } from '@beadloom/core/execution/allowed.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { DiffFile } from '../ports/hub/diffs.ts'
import { refusal } from './refusal.ts'
import { taskOf } from './work-diff.ts'

const MOST_PACKAGES = 50
const PACKAGE_BYTES = 256 * 1024
/** After so many files the server's other work has its turn. */
const AT_ONCE = 100

/**
 * Finds changes to files that run elsewhere once they are published, with rights that no sandbox has: people and the
 * reviewer are told of each. A person is asked about files that the settings name and the bead does not.
 */
export async function elsewhereCheck(
  live: LiveExecution,
  base: string,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { deps, settings, project, bead } = live
  const [first] = rows
  // A merge only combines work that was looked at.
  if (!first || first.purpose === 'merge' || first.commit === base) return null
  const changes = await changesElsewhere(live, base, first.commit)
  if (changes.length === 0) return null
  const task = taskOf(live)
  // A folder of this machine has no CI, and people themselves look at pushes from there.
  const mode = settings.elsewhere === 'ci' && isAbsolute(project.source) ? 'tell' : settings.elsewhere
  const findings = elsewhereTexts(await unasked(askedAbout(changes, mode), task))
  const allowed = deps.store.testsAllowed(project.id, bead.id)
  const refused = notAllowed(findings, allowed)
  const text = `${elsewhereTexts(changes).join('; ')}${refused.length > 0 ? '' : whoAllowed(findings, allowed)}`
  await deps.store.flagExecution(live.id, { kind: 'runs_elsewhere', text })
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return refusal(live, rows, {
    name: NOTHING_ELSEWHERE,
    findings: refused,
    summary: `changes files that run elsewhere: ${said}`,
    digest: `The checks pass, but the work changes files that run outside of this project with rights of their own, and the task does not ask for that: ${said}.\nRestore them as they were (\`git checkout ${base.slice(0, 12)} -- FILE\`, or delete a new one), and say in your summary what you would change there. Only a person can allow it.`,
  })
}

/** The changes that no words of people ask for. */
async function unasked(changes: readonly Elsewhere[], task: string): Promise<Elsewhere[]> {
  const isAsked = asksFor(task)
  const found: Elsewhere[] = []
  for (const [at, change] of changes.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    if (!isAsked(change)) found.push(change)
  }
  return found
}

/** Whether nothing had this path before: its author chose the name. */
const isMade = (status: string): boolean => 'ACR'.includes(status)

async function changesElsewhere(live: LiveExecution, base: string, commit: string): Promise<Elsewhere[]> {
  const { deps, project } = live
  const found: Elsewhere[] = []
  const packages: DiffFile[] = []
  const files = await deps.hub.diff(project.id, base, commit)
  for (const [at, file] of files.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const { path, oldPath, status, as } = file
    const isFolder = as !== undefined
    const former = status === 'R' && oldPath !== null ? runsBy(oldPath, isFolder) : null
    if (former !== null && oldPath !== null) found.push({ path: oldPath, by: former, gone: true })
    const by = runsBy(path, isFolder) ?? (as === 'submodule' ? 'source' : null)
    if (by !== null) found.push({ path, by, made: isMade(status), gone: status === 'D' })
    else if (isPackage(path) || isPackage(oldPath ?? '')) packages.push(file)
  }
  return worstFirst([...found, ...(await installs(live, base, commit, packages))])
}

/**
 * Packages with a change in code that runs on installation. Packages beyond `MOST_PACKAGES` are not read, and count.
 */
async function installs(
  { deps: { hub }, project: { id } }: LiveExecution,
  base: string,
  commit: string,
  packages: readonly DiffFile[],
): Promise<Elsewhere[]> {
  const read = packages.slice(0, MOST_PACKAGES)
  const formerOf = ({ path, oldPath }: DiffFile) => oldPath ?? path
  const [before, after] = await Promise.all([
    hub.readFiles(id, base, read.map(formerOf), PACKAGE_BYTES),
    hub.readFiles(
      id,
      commit,
      read.map(({ path }) => path),
      PACKAGE_BYTES,
    ),
  ])
  const found: Elsewhere[] = []
  for (const [at, file] of packages.entries()) {
    if (at < MOST_PACKAGES) await setImmediate()
    const { path, status } = file
    const [made, gone] = [isMade(status), status === 'D']
    // A link, or a file that is too long, exists without a text.
    const [former, now] = [made && status !== 'R' ? null : before.get(formerOf(file)), gone ? null : after.get(path)]
    const isRead = at < MOST_PACKAGES && former !== undefined && now !== undefined
    const by = isRead ? packageRuns(former, now) : 'install'
    if (by !== null) found.push({ path, by, made, gone })
  }
  return found
}
