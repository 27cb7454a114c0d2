import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { usualSignature, type Identity, type Signature } from '@beadloom/core/records/identity.ts'
import type { Clock } from '../process/clock.ts'
import {
  type Fetched,
  type Hub,
  HubError,
  type HubProject,
  type MergeTracker,
  type PinnedRef,
  type Published,
  type WatchTransfer,
} from '../ports/hub.ts'
import { addedText, contents, textsIn } from './added-text.ts'
import { Clones } from './clones/clones.ts'
import { filePatch } from './diff.ts'
import { inTheWayOf } from './remote/default-branch.ts'
import { currentProject, fetchProject } from './remote/fetch.ts'
import { Git } from './git/git.ts'
import { signerOf } from './git/signer.ts'
import type { Signing } from '../process/settings/signing-settings.ts'
import { personOf } from './git/person.ts'
import { importFolder } from './import-folder.ts'
import { broughtInto, flatten, keepCandidate, mergeInto } from './merge.ts'
import { CANDIDATES, candidatesOf, checkBranch, checkCommit, checkRef, headOf } from './clones/names.ts'
import { dropUnsettled, markSettled, markUnsettled } from './clones/unsettled.ts'
import { Modules } from './modules/modules.ts'
import { packBetween } from './pack-between.ts'
import { ProjectQueue } from './project-queue.ts'
import { allUnreachable, publishRefs } from './remote/publish.ts'
import { installPushRule } from './push-rule.ts'
import { ObjectReader } from './git/read-objects.ts'
import { RecentDiffs } from './recent-diffs.ts'
import { RecentFetches } from './recent-fetches.ts'
import { SettledFetches } from './settled-fetches.ts'
import { Refs } from './git/refs.ts'
import { joinCommits } from './join.ts'
import { matchingLines } from './matching-lines.ts'
import { localRepository, placeOfRepository } from './remote/local-repository.ts'
import { lostByRewrite, lostOnRemote } from './remote/rewritten.ts'
import { localState } from './remote/local-state.ts'
import { remoteOf } from './remote/remote.ts'
import { serveGit, type ServeLimits } from './serve.ts'
import { isSameWork } from './tracker/same-work.ts'
import { trackerFile, writeTracker } from './tracker/tracker-branch.ts'
import { takeUpWork, workTip } from './work-branch.ts'

export type HubSettings = {
  /** The folder of the bare clones, `{project}.git` each; created when missing. */
  folder: string
  /** Git's home for local work: our own, so it has no user's configuration. It also holds the push rule's scripts. */
  gitHome: string
  clock: Clock
  gitBinary?: string
  /** The environment of the user of this server: PATH, and for URL remotes their ssh agent and git configuration. */
  env: Readonly<Record<string, string | undefined>>
  limits?: Partial<ServeLimits>
  /** The key for signing the commits that it makes; absent: they are not signed. */
  signing?: Signing | null
  /** Merges the tracker's file if two branches changed it. */
  mergeTracker: MergeTracker
}

const defaultLimits: ServeLimits = { pushBytes: 1024 ** 3, refs: 1000, requestMs: 15 * 60_000 }
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
  const queue = new ProjectQueue()
  // A remote that hangs must not delay local work. Every ref moves by compare-and-swap, so both queues may move one.
  const remoteQueue = new ProjectQueue()
  const limits = { ...defaultLimits, ...settings.limits }
  const diffs = new RecentDiffs()
  const fetches = new RecentFetches()
  const settled = new SettledFetches(clock, (project) => fetch(project))
  const modules = new Modules({ git, clones, clock, env })

  let person: Promise<Identity | null> | undefined

  const reader = async (project: ProjectId) => new ObjectReader(git, await clones.existing(project))
  const merging = async (project: ProjectId, by: Signature = usualSignature) => ({
    git,
    clock,
    mergeTracker,
    by,
    gitDir: await clones.existing(project),
  })
  const refsOf = async (project: ProjectId) => new Refs(git, await clones.existing(project))
  const diffing = async (project: ProjectId) => ({ git, gitDir: await clones.existing(project) })

  const fetch: Hub['fetch'] = (project, signal, freshMs = 0, watch) =>
    remoteQueue.run(
      project.id,
      async () => {
        // Asked when it is our turn: the fetch before us may have been the same.
        const recent = fetches.since(project, clock.monotonic() - freshMs)
        if (recent) return recent
        const began = clock.monotonic()
        const state = await localState(project.source, clock.now())
        const fetched = (await unchanged(project, state)) ?? (await fetchRemote(project, signal, watch))
        fetches.note(project, began, state, fetched)
        return fetched
      },
      signal,
    )

  return {
    signs: signer !== null,
    fetch,
    path: (project) => clones.path(project),
    local: (source, branch) => localRepository(source, branch).catch(() => null),
    placeOf: (source) => placeOfRepository(source).catch(() => null),
    lostByRewrite: async (project, branches) => lostByRewrite(await merging(project), branches),
    lostOnRemote: async (project, branches) => lostOnRemote(await merging(project), branches),
    inTheWayOf: async (project, branch) => inTheWayOf(await refsOf(project), checkBranch(branch)),
    current: (project) => currentProject({ git, clones, clock }, project),
    readFile: async (project, commit, path, limitBytes) => (await reader(project)).file(commit, path, limitBytes),
    realPath: async (project, commit, path) => (await reader(project)).realPath(commit, path),
    readFiles: async (project, commit, paths, limitBytes, unread) =>
      (await reader(project)).files(commit, paths, limitBytes, unread),
    filesIn: async (project, commit, folder) => (await reader(project)).filesIn(commit, folder),
    rootFiles: async (project, commit) => (await reader(project)).rootNames(commit),
    paths: async (project, commit, most) => (await reader(project)).paths(commit, most),
    hashFiles: async (project, commit, paths) => (await reader(project)).hash(commit, paths),
    fetchModules: (project, commit, how) => modules.fetch(project, commit, how),
    modules: (project, commit) => modules.known(project, commit),
    archive: async (project, commit, folder, limitBytes) => (await reader(project)).archive(commit, folder, limitBytes),
    commits: async (project, from, to, limit) => (await reader(project)).commits(from, to, limit),
    workTip: (project, workBranch, baseBranch, by) =>
      queue.run(project.id, async () => {
        await clones.prepare(project.id)
        return workTip(await merging(project.id, by), workBranch, baseBranch)
      }),
    takeUpWork: (project, workBranch, by) =>
      queue.run(project.id, async () => takeUpWork(await merging(project.id, by), workBranch)),
    ensureBranch: (project, branch, commit) => queue.run(project, () => ensureBranch(project, branch, commit)),
    tip: async (project, ref) => {
      const name = checkRef(ref)
      const gitDir = await clones.known(project)
      return gitDir === null ? null : new Refs(git, gitDir).tip(name)
    },
    pack: async (project, commit, has, limitBytes) =>
      packBetween({ git, gitDir: await clones.existing(project) }, checkCommit(commit), checkCommit(has), limitBytes),
    serve: (access) => {
      if (access.pushable && 'only' in access.pushable) checkRef(access.pushable.only)
      else if (access.pushable) checkBranch(access.pushable.branch)
      return serveGit({ git, gitDir: () => clones.existing(access.project), hooksFolder, limits }, access)
    },
    integrate: (project, branch, commit, message, tracker, by) =>
      queue.run(project, async () => mergeInto(await merging(project, by), branch, commit, message, tracker)),
    candidate: (merge) =>
      queue.run(merge.project, async () => keepCandidate(await merging(merge.project, merge.by), merge)),
    brought: async (merge) => broughtInto(await merging(merge.project), merge),
    forgetCandidates: (project, isOver) =>
      queue.run(project, async () => {
        const gitDir = await clones.known(project)
        if (gitDir === null) return
        const refs = new Refs(git, gitDir)
        const owners = new Set((await refs.under(CANDIDATES)).map((name) => name.slice(0, name.indexOf('/'))))
        for (const owner of owners) if (isOver(parseExecutionId(owner))) await refs.removeUnder(candidatesOf(owner))
      }),
    advance: (project, branch, from, to) =>
      queue.run(project, async () => (await refsOf(project)).move(headOf(branch), from, checkCommit(to))),
    flatten: async (project, { onto, commit, message, by }) =>
      flatten(await merging(project, by), checkCommit(onto), checkCommit(commit), message),
    person: () => (person ??= personOf(git, env)),
    keep: (project, ref, commit) =>
      queue.run(project, async () => {
        await (await refsOf(project)).move(checkRef(ref), null, checkCommit(commit))
      }),
    join: (project, wanted) => queue.run(project, async () => joinCommits(await merging(project, wanted.by), wanted)),
    contains: async (project, commit, ancestor) =>
      (await refsOf(project)).contains(checkCommit(commit), checkCommit(ancestor)),
    mergeBase: async (project, one, other) => (await refsOf(project)).mergeBase(checkCommit(one), checkCommit(other)),
    publish: async (project, refs, signal) => {
      const published = await remoteQueue.run(project.id, () => publish(project, refs, signal), signal)
      settled.pushed(project)
      return published
    },
    trackerFile: ({ id }, branches) => queue.run(id, async () => trackerFile(await merging(id), branches)),
    writeTracker: async (project, branches, edit) => {
      const push = (_: HubProject, ref: string, commit: string) =>
        remoteQueue.run(project.id, () => publish(project, [{ ref, commit }]))
      const written = await writeTracker(
        await merging(project.id, branches.by),
        { fetch, push },
        project,
        branches,
        edit,
      )
      settled.pushed(project)
      return written
    },
    importFolder: async (project, folder) => {
      const { onto } = folder
      const checked = { ...folder, ref: checkRef(folder.ref), onto: onto === null ? null : checkCommit(onto) }
      return importFolder({ git, gitDir: await clones.existing(project), clock }, checked)
    },
    matchingLines: async (project, commit, pattern, paths) =>
      matchingLines(await diffing(project), commit, pattern, paths),
    diff: async (project, from, to, how) => [...(await diffs.files(await diffing(project), from, to, how))],
    addedText: async (project, from, to) => addedText(await diffing(project), from, to),
    contents: async (project, objects) => {
      const { gitDir } = await diffing(project)
      return contents(git.clones.at(gitDir).objects, objects)
    },
    textsIn: async (project, commit, texts) => textsIn(await diffing(project), commit, texts),
    patch: async (project, from, to, path, limitBytes, how) => {
      const deps = await diffing(project)
      const files = await diffs.files(deps, from, to, how)
      return filePatch(deps, { from, to, path, limitBytes, ...how }, files)
    },
    isSameWork: async (project, one, other) => {
      const gitDir = await clones.known(project)
      return gitDir !== null && isSameWork(git.clones.at(gitDir).objects, one, other)
    },
    close: () => {
      settled.close()
      return git.clones.closeAll()
    },
    unsettled: (project) => markUnsettled(clones.path(project), project),
    settled: (project) => markSettled(clones.path(project)),
    dropUnsettled: (isProject) => dropUnsettled(folder, isProject),
    remove: (project) => remoteQueue.run(project, () => queue.run(project, () => removeClone(project))),
  }

  async function fetchRemote(project: HubProject, signal?: AbortSignal, watch?: WatchTransfer): Promise<Fetched> {
    const remote = await remoteOf(git, project.source, env)
    return fetchProject({ git, clones, clock }, project, remote, { signal, watch })
  }

  /** The stored fetch, if the remote is seen not to have changed since; null: it has to be asked. */
  async function unchanged(project: HubProject, state: string | null): Promise<Fetched | null> {
    const last = state === null ? null : fetches.at(project, state)
    if (last === null) return null
    const here = await currentProject({ git, clones, clock }, project)
    if (here?.commit !== last.commit || here.baseBranch !== last.baseBranch) return null
    const fetchedAt = clock.now()
    await clones.noteFetched(clones.path(project.id), fetchedAt)
    return { ...here, fetchedAt }
  }

  async function removeClone(project: ProjectId): Promise<void> {
    await clones.remove(project)
    fetches.forget(project)
    settled.forget(project)
    modules.forget(project)
    diffs.forget(clones.path(project))
  }

  async function ensureBranch(project: ProjectId, branch: string, commit: string): Promise<string> {
    const refs = await refsOf(project)
    const ref = headOf(branch)
    const known = await refs.tip(ref)
    if (known !== null) return known
    if (await refs.move(ref, null, checkCommit(commit))) return commit
    const first = await refs.tip(ref) // somebody made it just now
    if (first === null) throw new HubError('git-failed', `${branch} could not be created at ${commit}`)
    return first
  }

  async function publish(project: HubProject, refs: (string | PinnedRef)[], signal?: AbortSignal): Promise<Published> {
    const gitDir = await clones.existing(project.id)
    try {
      const remote = await remoteOf(git, project.source, env)
      return await publishRefs({ git, gitDir }, remote, refs, signal)
    } catch (error) {
      // For the caller a missing remote is like one that does not answer: it tries again later.
      if (error instanceof HubError && error.kind === 'missing') return allUnreachable(refs, error)
      throw error
    }
  }
}
