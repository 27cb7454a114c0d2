import { type Fetched, HubError, type HubProject, type WatchTransfer } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'
import type { Clones } from '../clones/clones.ts'
import type { Git } from '../git/git.ts'
import { tolerantFsck } from '../git/git-flags.ts'
import { checkBranch, headOf, mirroredOf, remoteHeadOf } from '../clones/names.ts'
import { Refs } from '../git/refs.ts'
import { chooseDefault, noSuchBranch, parseHead, REMOTE_HEADS, type RemoteHead } from './default-branch.ts'
import { incompleteness } from './incomplete.ts'
import { throughRedirects } from './redirect.ts'
import type { Remote } from './remote.ts'
import { TransferReader } from './transfer-reader.ts'
import { remoteError } from './remote-error.ts'
import { noteOfRewrite } from './rewritten.ts'

/** A remote that is up says within this time which branch is its default. */
const ASK_TIMEOUT_MS = 60_000
/** A small fetch is over within this time. */
const QUICK_FETCH_MS = 5_000
/** For the first clone of a large repository over a slow line. */
const FETCH_TIMEOUT_MS = 30 * 60_000

/** Points at the remote's default branch; outside of `refs/remotes`, where a branch named HEAD would be in its place. */
const REMOTE_HEAD = 'refs/hub/default'

export type FetchHow = { signal?: AbortSignal | undefined; watch?: WatchTransfer | undefined }
export type FetchDeps = { git: Git; clones: Clones; clock: Clock }

/** Brings the remote's branches and tags into the bare clone, and moves its base branch for containers. */
export async function fetchProject(
  deps: FetchDeps,
  project: HubProject,
  remote: Remote,
  how: FetchHow = {},
): Promise<Fetched> {
  try {
    return await throughRedirects(deps.git, remote, (at) => fetchWhole(deps, project, at, how), how.signal)
  } catch (error) {
    throw await asIncomplete(error, project.source)
  }
}

/** Kinds of errors with which git says that something is missing. */
const saysLack = new Set(['empty', 'no-default-branch', 'git-failed', 'unreachable', 'refused'])

/** The error; for an incomplete repository, which fails in many unclear ways, one that says so. */
async function asIncomplete(error: unknown, source: string): Promise<unknown> {
  if (!(error instanceof HubError) || !saysLack.has(error.kind)) return error
  const found = await incompleteness(source)
  const isAboutBranches = error.kind === 'empty' || error.kind === 'no-default-branch'
  // A partial clone has all its branches: a missing one does not exist.
  if (found === null || (isAboutBranches && found.what === 'partial')) return error
  return new HubError('incomplete', found.sentence, { cause: error })
}

async function fetchWhole(deps: FetchDeps, project: HubProject, remote: Remote, how: FetchHow): Promise<Fetched> {
  const wanted = project.baseBranch === null ? null : checkBranch(project.baseBranch)
  const gitDir = await deps.clones.prepare(project.id)
  const head = await transfer(deps, gitDir, remote, wanted === null, how)
  const refs = new Refs(deps.git, gitDir)
  const baseBranch = wanted ?? (await chooseDefault(refs, remote, head))
  const commit = await refs.tip(remoteHeadOf(baseBranch))
  if (commit === null) throw await noSuchBranch(refs, remote, baseBranch, await askHead(deps, gitDir, remote))
  await refuseOldTip(deps, gitDir, remote, baseBranch, commit)
  if (wanted === null) await refs.pointSymbolic(REMOTE_HEAD, remoteHeadOf(baseBranch))
  await mirrorBase(refs, baseBranch, commit)
  await refs.pointSymbolic('HEAD', headOf(baseBranch))
  const fetchedAt = deps.clock.now()
  await deps.clones.noteFetched(gitDir, fetchedAt)
  deps.clones.tidy(gitDir)
  return { baseBranch, commit, fetchedAt }
}

/** The stored state, without asking the remote. */
export async function currentProject(deps: FetchDeps, project: HubProject): Promise<Fetched | null> {
  const gitDir = await deps.clones.known(project.id)
  if (gitDir === null) return null
  const refs = new Refs(deps.git, gitDir)
  const known = project.baseBranch ?? (await refs.symbolic(REMOTE_HEAD))?.slice(REMOTE_HEADS.length) ?? null
  const commit = known === null ? null : await refs.tip(remoteHeadOf(known))
  if (known === null || commit === null) return null
  return { baseBranch: known, commit, fetchedAt: await deps.clones.fetchedAt(gitDir) }
}

/**
 * Sets `refs/heads/{base}` to the remote's, even after the remote rewrote its history, but never over commits that were
 * merged into it here.
 */
export async function mirrorBase(refs: Refs, baseBranch: string, commit: string): Promise<void> {
  const head = await refs.tip(headOf(baseBranch))
  const mirrored = await refs.tip(mirroredOf(baseBranch))
  const ours = head === null || head === mirrored || (await refs.contains(commit, head))
  if (!ours) return
  // After a crash between the two, the head is an ancestor of the remote's, or equal.
  await refs.moveAll([
    { ref: headOf(baseBranch), from: head, to: commit },
    { ref: mirroredOf(baseBranch), from: mirrored, to: commit },
    ...(await noteOfRewrite(refs, baseBranch, mirrored, commit)),
  ])
}

/**
 * Fetches, and asks for the remote's HEAD at the same time. If nobody needs HEAD, the remote is asked only when the
 * fetch takes long, to find out whether it answers at all.
 */
async function transfer(
  { git, clock }: FetchDeps,
  gitDir: string,
  remote: Remote,
  wantsDefault: boolean,
  { signal, watch }: FetchHow,
): Promise<RemoteHead> {
  const lost = new AbortController()
  const fetchEnded = new AbortController()
  const either = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal
  const config = [...remote.config, ...tolerantFsck('fetch')]
  const common = { gitDir, env: remote.env, config, signal: either }
  const ask = async () => {
    if (!wantsDefault) await clock.sleep(QUICK_FETCH_MS, AbortSignal.any([either, fetchEnded.signal]))
    if (fetchEnded.signal.aborted || either.aborted) return ''
    return git.text({
      ...common,
      args: ['ls-remote', '--symref', ...remote.uploadPack, '--end-of-options', remote.url, 'HEAD'],
      timeoutMs: ASK_TIMEOUT_MS,
    })
  }
  const asked = ask().catch((error: unknown) => {
    lost.abort(error) // its error is the clearer one
    throw error
  })
  const fetched = git.run({
    ...common,
    args: [
      'fetch',
      watch ? '--progress' : '--quiet',
      ...fetchFlags,
      ...remote.uploadPack,
      '--end-of-options',
      remote.url,
      ...refspecs,
    ],
    timeoutMs: FETCH_TIMEOUT_MS,
    ...(watch && { onStderr: new TransferReader(watch).take }),
  })
  const ended = () => fetchEnded.abort()
  fetched.then(ended, ended)
  const [answer, transferred] = await Promise.allSettled([asked, fetched])
  signal?.throwIfAborted()
  if (answer.status === 'rejected') throw remoteError(answer.reason, remote)
  if (transferred.status === 'rejected') throw remoteError(transferred.reason, remote)
  return parseHead(answer.value)
}

const askHead = async ({ git }: FetchDeps, gitDir: string, remote: Remote): Promise<RemoteHead> =>
  parseHead(await ask({ git, gitDir }, remote, 'HEAD'))

/** A remote's answer about one of its refs. */
function ask({ git, gitDir }: { git: Git; gitDir: string }, remote: Remote, ref: string): Promise<string> {
  const args = ['ls-remote', '--symref', ...remote.uploadPack, '--end-of-options', remote.url, ref]
  return git.text({ gitDir, env: remote.env, config: remote.config, args, timeoutMs: ASK_TIMEOUT_MS })
}

/** Git fetches nothing of a branch whose history ends early, and does not say so: its old state would seem new. */
async function refuseOldTip(deps: FetchDeps, gitDir: string, remote: Remote, branch: string, has: string) {
  if (remote.kind !== 'path') return
  const lack = await incompleteness(remote.url)
  if (lack?.what !== 'shallow') return
  const [tip = ''] = (await ask({ ...deps, gitDir }, remote, `refs/heads/${branch}`)).split('\t')
  if (tip !== has) throw new HubError('incomplete', lack.sentence)
}

const fetchFlags = [
  '--no-tags', // tags come with the refspec, so tags deleted on the remote go too
  '--prune',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-show-forced-updates',
]
const refspecs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
