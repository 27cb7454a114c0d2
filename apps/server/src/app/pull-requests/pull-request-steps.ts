import { signatureFrom } from '@beadloom/core/records/identity.ts'
import type { PullRequest, PullRequestMove } from '@beadloom/core/review/pull-request.ts'
import type { Aside } from '../../ports/aside.ts'
import { ForgeError, type ForgeRepository, type Forges } from '../../ports/forge.ts'
import { HubError, type Hub, type HubErrorKind } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import { sourceKind } from '../stored/project-source.ts'
import { hubProject, settingsOf } from '../stored/stored-settings.ts'
import { textOf } from './pull-request-text.ts'

type Parts = { store: Store; hub: Hub; forges: Forges; aside: Pick<Aside, 'masked'> }

/** Errors that may pass by themselves. */
const passes: ReadonlySet<HubErrorKind> = new Set(['unreachable', 'timed-out', 'no-space', 'git-failed', 'missing'])

/** Pushes the commit, never by force. Null: the branch has moved, which decides the next step. */
export async function publishWorkBranch(
  parts: Parts,
  row: PullRequest,
  signal: AbortSignal,
): Promise<PullRequestMove | null> {
  const { store, hub } = parts
  const project = store.project(row.project)
  if (!project) return null
  const ref = `refs/heads/${row.branch}`
  try {
    const { failed } = await hub.publish(hubProject(project), [{ ref, commit: row.commit }], signal)
    const [problem] = failed
    if (!problem) return { type: 'pushed', commit: row.commit }
    if (problem.kind === 'unreachable') return { type: 'away', why: problem.why, retryAt: null }
    if (problem.kind !== 'moved')
      return { type: 'failed', detail: thenAgain(`${row.branch} could not be pushed: ${problem.why}`) }
    await hub.fetch(hubProject(project), signal)
    const by = signatureFrom(settingsOf(project) ?? nobody, await hub.person())
    const { commit, behind } = await hub.workTip(hubProject(project), row.branch, row.base, by)
    return commit === row.commit ? { type: 'failed', detail: thenAgain(behind ?? problem.why) } : null
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return passes.has(error.kind)
      ? { type: 'away', why: error.message, retryAt: null }
      : { type: 'failed', detail: thenAgain(error.message) }
  }
}

const nobody = { author: null, committer: null }

/** Asks the forge for the pull request; without a usable forge, names the steps that are left. */
export async function openOnForge(
  parts: Parts,
  row: PullRequest,
  signal: AbortSignal,
): Promise<PullRequestMove | null> {
  const { store, forges } = parts
  const project = store.project(row.project)
  if (!project) return null
  let found: { repository: ForgeRepository; url: string } | null = null
  try {
    const repository = await forges.repositoryOf(project.source)
    if (repository === null)
      return {
        type: 'left',
        forge: null,
        url: null,
        detail: `Reviewed and ready, and ${row.branch} is pushed. Its remote is ${noForge(project.source)}`,
      }
    const url = forges.compareUrl(repository, row.base, row.branch)
    found = { repository, url }
    const text = await textOf(parts, row)
    const opened = await forges.open(repository, { head: row.branch, base: row.base, ...text }, signal)
    return { type: 'opened', forge: repository.host, title: text.title, ...opened }
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error
    if (error.kind === 'unavailable') return { type: 'away', why: error.message, retryAt: error.retryAt }
    if (error.kind === 'no-token' && found) return withoutToken(row, found.repository, found.url, error.message)
    return {
      type: 'failed',
      ...(found && { forge: found.repository.host, url: found.url }),
      detail: `${row.branch} is reviewed and pushed, but the pull request was not opened: ${error.message}`,
    }
  }
}

const noForge = (source: string): string =>
  sourceKind(source) === 'path'
    ? 'a folder, not a forge: merge the branch there. To get pull requests on a forge, add the project by its URL there (beadloom project add URL).'
    : 'not on a forge that Beadloom knows: open the pull request there, or add the forge (beadloom forge add HOST) and ask again.'

const thenAgain = (why: string): string => `${why.replace(/\.$/, '')}. Then ask again.`

/** `why` says how to set one. */
const withoutToken = (row: PullRequest, { host }: ForgeRepository, url: string, why: string): PullRequestMove => ({
  type: 'left',
  forge: host,
  url,
  detail: `Reviewed and ready, and ${row.branch} is pushed; open the pull request at the link. To let Beadloom open it: ${why}`,
})
