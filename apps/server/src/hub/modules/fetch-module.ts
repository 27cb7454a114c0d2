import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError, type WatchTransfer } from '../../ports/hub.ts'
import { checkCommit, moduleOf, SCRATCH } from '../clones/names.ts'
import { type Git, GitFailure } from '../git/git.ts'
import { tolerantFsck } from '../git/git-flags.ts'
import { remoteError } from '../remote/remote-error.ts'
import { throughRedirects } from '../remote/redirect.ts'
import { publicRemoteOf, remoteOf, type Remote } from '../remote/remote.ts'
import { TransferReader } from '../remote/transfer-reader.ts'
import type { Place } from './module-address.ts'

/** `mostBytes`: limit of the transferred bytes; 1 GiB in any case. */
export type Transferring = { signal: AbortSignal; watch: WatchTransfer; mostBytes?: number }
export type FetchModuleDeps = { git: Git; gitDir: string; env: Readonly<Record<string, string | undefined>> }

const MOST_BYTES = 1024 ** 3
const MIB = 1024 ** 2
const LIMIT_MS = 10 * 60_000

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Beadloom',
  GIT_AUTHOR_EMAIL: 'beadloom@localhost',
  GIT_AUTHOR_DATE: '@0 +0000',
  GIT_COMMITTER_NAME: 'Beadloom',
  GIT_COMMITTER_EMAIL: 'beadloom@localhost',
  GIT_COMMITTER_DATE: '@0 +0000',
}

/**
 * Brings the files of one commit of another repository into the clone, as a commit without a history, so that the
 * project's history is not cut off by the other's. Returns it. Throws `HubError`.
 */
export async function fetchModule(
  { git, gitDir, env }: FetchModuleDeps,
  { address, asAnybody }: Place,
  commit: string,
  { signal, watch, mostBytes = MOST_BYTES }: Transferring,
): Promise<string> {
  const ref = moduleOf(commit)
  const remote = await (asAnybody ? publicRemoteOf(address, env) : remoteOf(git, address, env))
  await mkdir(gitDir, { recursive: true })
  const scratch = await mkdtemp(join(gitDir, SCRATCH))
  try {
    await git.run({ args: ['init', '--quiet', '--bare', '--template=', scratch] })
    const how = { signal, watch, mostBytes: Math.min(mostBytes, MOST_BYTES) }
    await throughRedirects(git, remote, (at) => transfer(git, scratch, at, commit, how), signal)
    const tree = `${checkCommit(commit)}^{tree}`
    const args = ['commit-tree', '-m', `The files of ${commit}`, tree]
    const files = await git.text({ gitDir: scratch, args, env: IDENTITY })
    await git.run({ gitDir: scratch, args: ['update-ref', 'refs/heads/files', checkCommit(files)] })
    const here = await remoteOf(git, scratch, env)
    const into = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', ...here.uploadPack]
    const config = [...here.config, ...tolerantFsck('fetch')]
    const call = { gitDir, env: here.env, config, timeoutMs: LIMIT_MS, signal }
    await git.run({ ...call, args: [...into, '--end-of-options', here.url, `+refs/heads/files:${ref}`] })
    return files
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function transfer(
  git: Git,
  scratch: string,
  remote: Remote,
  commit: string,
  { signal, watch, mostBytes }: Required<Transferring>,
): Promise<void> {
  const tooLarge = new AbortController()
  const reader = new TransferReader((seen) => {
    if ((seen.bytes ?? 0) > mostBytes) tooLarge.abort()
    watch(seen)
  })
  const either = AbortSignal.any([signal, tooLarge.signal])
  const config = [...remote.config, ...tolerantFsck('fetch')]
  const flags = ['--progress', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  const fetch = (more: string[], refspec: string) =>
    git.run({
      gitDir: scratch,
      env: remote.env,
      config,
      args: ['fetch', ...flags, ...more, ...remote.uploadPack, '--end-of-options', remote.url, refspec],
      timeoutMs: LIMIT_MS,
      signal: either,
      onStderr: reader.take,
    })
  try {
    await fetch(['--depth=1'], checkCommit(commit)).catch((error: unknown) => {
      // An older server serves only the commits that branches or tags name.
      if (!(error instanceof GitFailure) || !/unadvertised object/i.test(error.stderr)) throw error
      return fetch([], '+refs/heads/*:refs/heads/*')
    })
    const { code } = await git.run({
      gitDir: scratch,
      args: ['cat-file', '-e', `${commit}^{commit}`],
      answers: [1, 128],
    })
    if (code !== 0) throw new HubError('missing', `${remote.name} has no commit ${commit.slice(0, 12)}`)
  } catch (error) {
    signal.throwIfAborted()
    if (tooLarge.signal.aborted) throw new HubError('refused', `it has more than ${Math.floor(mostBytes / MIB)} MiB`)
    throw remoteError(error, remote)
  }
}
