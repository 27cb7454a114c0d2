import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Identity } from '@beadloom/core/records/identity.ts'
import type { Clock } from '../process/clock.ts'
import type { Hub } from '../ports/hub.ts'
import type { MergeTracker } from '../ports/hub/merges.ts'
import { Clones } from './clones/clones.ts'
import { Git } from './git/git.ts'
import { signerOf } from './git/signer.ts'
import type { Signing } from '../process/settings/signing-settings.ts'
import { personOf } from './git/person.ts'
import { checkBranch, checkRef } from './clones/names.ts'
import { dropUnsettled, markSettled, markUnsettled } from './clones/unsettled.ts'
import { Modules } from './modules/modules.ts'
import { hubDiffs } from './port/diffs.ts'
import { hubMerges } from './port/merges.ts'
import { hubParts } from './port/parts.ts'
import { hubReads } from './port/reads.ts'
import { hubRemote } from './port/remote.ts'
import { installPushRule } from './push-rule.ts'
import { RecentDiffs } from './recent-diffs.ts'
import { RecentFetches } from './recent-fetches.ts'
import { serveGit, type ServeBounds } from './serve.ts'

export type HubSettings = {
  /** The folder of the bare clones, `{project}.git` each; created when missing. */
  folder: string
  /** Git's home for local work: our own, so it has no user's configuration. It also holds the push rule's scripts. */
  gitHome: string
  clock: Clock
  gitBinary?: string
  /** The environment of the user of this server: PATH, and for URL remotes their ssh agent and git configuration. */
  env: Readonly<Record<string, string | undefined>>
  bounds?: Partial<ServeBounds>
  /** The key for signing the commits that it makes; absent: they are not signed. */
  signing?: Signing | null
  /** Merges the tracker's file if two branches changed it. */
  mergeTracker: MergeTracker
}

const defaultBounds: ServeBounds = { pushBytes: 1024 ** 3, refs: 1000, requestMs: 15 * 60_000 }
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

export async function createHub(settings: HubSettings): Promise<Hub> {
  const { folder, gitHome, clock, env, mergeTracker } = settings
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(gitHome, { recursive: true, mode: 0o700 })
  const hooksFolder = join(gitHome, 'push-rule')
  await installPushRule(hooksFolder)

  const { PATH: searchPath = DEFAULT_PATH } = env
  const signer = settings.signing ? signerOf(settings.signing, env) : null
  const git = new Git({ binary: settings.gitBinary ?? 'git', home: gitHome, searchPath, cwd: folder, clock }, signer)
  const clones = new Clones(git, folder, clock)
  const parts = hubParts({ git, clones, clock, env }, mergeTracker)
  const bounds = { ...defaultBounds, ...settings.bounds }
  const diffs = new RecentDiffs()
  const fetches = new RecentFetches()
  const { settled, ...remote } = hubRemote(parts, fetches)
  const modules = new Modules({ git, clones, clock, env })
  let person: Promise<Identity | null> | undefined

  const removeClone = async (project: ProjectId): Promise<void> => {
    await clones.remove(project)
    fetches.forget(project)
    settled.forget(project)
    modules.forget(project)
    diffs.forget(clones.path(project))
  }

  return {
    ...remote,
    ...hubReads(parts),
    ...hubDiffs(parts, diffs),
    ...hubMerges(parts),
    signs: signer !== null,
    path: (project) => clones.path(project),
    fetchModules: (project, commit, how) => modules.fetch(project, commit, how),
    modules: (project, commit) => modules.known(project, commit),
    serve: (access) => {
      if (access.pushable && 'only' in access.pushable) checkRef(access.pushable.only)
      else if (access.pushable) checkBranch(access.pushable.branch)
      return serveGit({ git, gitDir: () => clones.existing(access.project), hooksFolder, bounds }, access)
    },
    person: () => (person ??= personOf(git, env)),
    close: () => {
      settled.close()
      return git.clones.closeAll()
    },
    unsettled: (project) => markUnsettled(clones.path(project), project),
    settled: (project) => markSettled(clones.path(project)),
    dropUnsettled: (isProject) => dropUnsettled(folder, isProject),
    remove: (project) => parts.remoteQueue.run(project, () => parts.queue.run(project, () => removeClone(project))),
  }
}
