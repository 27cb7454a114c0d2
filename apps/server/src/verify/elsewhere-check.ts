import { isAbsolute } from 'node:path'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { changesInstall, mayInstall, runsBy } from '@beadloom/core/elsewhere/elsewhere-files.ts'
import {
  askedAbout,
  elsewhereText,
  isAskedFor,
  NOTHING_ELSEWHERE,
  type Elsewhere,
} from '@beadloom/core/elsewhere/elsewhere-words.ts'
import { notAllowed } from '@beadloom/core/tamper/allowed.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { HubError, type DiffFile } from '../ports/hub.ts'
import { refusal, whoAllowed } from './refusal.ts'
import { taskOf } from './work-diff.ts'

/** Each costs a process of git's. */
const MOST_PACKAGES = 50
const MOST_TOLD = 50

/**
 * Files that run elsewhere once they are published, with rights that no sandbox has: each change of one is told to people and
 * the reviewer. A person is asked about those that the settings name and the bead does not.
 */
export async function elsewhereCheck(
  live: LiveExecution,
  base: string,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { deps, settings, project, bead } = live
  const [first] = rows
  // A merge brings together what was looked at.
  if (!first || first.purpose === 'merge' || first.commit === base) return null
  const changes = await changesElsewhere(live, base, first.commit)
  if (changes.length === 0) return null
  const task = taskOf(live)
  // A folder of this machine has no CI, and what is pushed from there is a person's to look at.
  const mode = settings.elsewhere === 'ci' && isAbsolute(project.source) ? 'tell' : settings.elsewhere
  const asked = askedAbout(changes, mode).filter((one) => !isAskedFor(one, task))
  const findings = asked.map(elsewhereText)
  const allowed = deps.store.testsAllowed(project.id, bead.id)
  const refused = notAllowed(findings, allowed)
  const told = changes.slice(0, MOST_TOLD).map(elsewhereText)
  const more = changes.length > told.length ? `; and ${changes.length - told.length} more` : ''
  const text = `${told.join('; ')}${more}${refused.length > 0 ? '' : whoAllowed(findings, allowed)}`
  await deps.store.flagExecution(live.id, { kind: 'runs_elsewhere', text })
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return refusal(live, rows, {
    name: NOTHING_ELSEWHERE,
    findings: refused,
    summary: `changes what runs elsewhere: ${said}`,
    digest: `The checks pass, but the work changes files that run outside of this project with rights of their own, and the task does not ask for that: ${said}.\nRestore them as they were (\`git checkout ${base.slice(0, 12)} -- FILE\`, or delete a new one), and say in your summary what you would change there. Only a person can allow it.`,
  })
}

async function changesElsewhere(live: LiveExecution, base: string, commit: string): Promise<Elsewhere[]> {
  const { deps, project } = live
  const found: Elsewhere[] = []
  let packages = 0
  for (const file of await deps.hub.diff(project.id, base, commit)) {
    const gone = file.status === 'D'
    const by = runsBy(file.path)
    const former = file.status === 'R' && file.oldPath !== null ? runsBy(file.oldPath) : null
    if (former !== null && file.oldPath !== null) found.push({ path: file.oldPath, by: former, gone: true })
    if (by !== null) found.push({ path: file.path, by, gone })
    else if (mayInstall(file.path) && packages++ < MOST_PACKAGES && (await installs(live, base, commit, file)))
      found.push({ path: file.path, by: 'install', gone })
  }
  return found
}

async function installs(
  { deps, project }: LiveExecution,
  base: string,
  commit: string,
  { path }: DiffFile,
): Promise<boolean> {
  try {
    const { text } = await deps.hub.patch(project.id, base, commit, path, undefined, { context: 0, text: true })
    return changesInstall(text)
  } catch (error) {
    if (error instanceof HubError && error.kind === 'unreadable') return true
    throw error
  }
}
