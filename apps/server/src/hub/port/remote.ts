import {
  type Fetched,
  type Hub,
  HubError,
  type HubProject,
  type PinnedRef,
  type Published,
  type WatchTransfer,
} from '../../ports/hub.ts'
import { checkBranch } from '../clones/names.ts'
import type { RecentFetches } from '../recent-fetches.ts'
import { inTheWayOf } from '../remote/default-branch.ts'
import { currentProject, fetchProject } from '../remote/fetch.ts'
import { localRepository, placeOfRepository } from '../remote/local-repository.ts'
import { localState } from '../remote/local-state.ts'
import { allUnreachable, publishRefs } from '../remote/publish.ts'
import { remoteOf } from '../remote/remote.ts'
import { lostByRewrite, lostOnRemote } from '../remote/rewritten.ts'
import { SettledFetches } from '../settled-fetches.ts'
import { trackerFile, writeTracker } from '../tracker/tracker-branch.ts'
import type { HubParts } from './parts.ts'

type Remote = Pick<
  Hub,
  | 'fetch'
  | 'local'
  | 'placeOf'
  | 'lostByRewrite'
  | 'lostOnRemote'
  | 'inTheWayOf'
  | 'current'
  | 'publish'
  | 'trackerFile'
  | 'writeTracker'
>

/** Fetches from a project's remote, and pushes to it. `settled`: the fetches after its own pushes. */
export function hubRemote(parts: HubParts, fetches: RecentFetches): Remote & { settled: SettledFetches } {
  const { git, clones, clock, queue, remoteQueue, merging, refsOf } = parts
  const settled = new SettledFetches(clock, (project) => fetch(project))

  const fetch: Hub['fetch'] = (project, signal, freshMs = 0, watch) =>
    remoteQueue.run(
      project.id,
      async () => {
        // Asked when it is our turn: the fetch before us may have been the same.
        const recent = fetches.since(project, clock.monotonic() - freshMs)
        if (recent) return recent
        const began = clock.monotonic()
        const state = await localState(project.source, clock.now())
        const fetched =
          (await unchanged(parts, fetches, project, state)) ?? (await fetchRemote(parts, project, { signal, watch }))
        fetches.note(project, began, state, fetched)
        return fetched
      },
      signal,
    )

  return {
    settled,
    fetch,
    local: (source, branch) => localRepository(source, branch).catch(() => null),
    placeOf: (source) => placeOfRepository(source).catch(() => null),
    lostByRewrite: async (project, branches) => lostByRewrite(await merging(project), branches),
    lostOnRemote: async (project, branches) => lostOnRemote(await merging(project), branches),
    inTheWayOf: async (project, branch) => inTheWayOf(await refsOf(project), checkBranch(branch)),
    current: (project) => currentProject({ git, clones, clock }, project),
    publish: async (project, refs, signal) => {
      const published = await remoteQueue.run(project.id, () => publish(parts, project, refs, signal), signal)
      settled.pushed(project)
      return published
    },
    trackerFile: ({ id }, branches) => queue.run(id, async () => trackerFile(await merging(id), branches)),
    writeTracker: async (project, branches, edit) => {
      const push = (_: HubProject, ref: string, commit: string) =>
        remoteQueue.run(project.id, () => publish(parts, project, [{ ref, commit }]))
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
  }
}

async function fetchRemote(
  { git, clones, clock, env }: HubParts,
  project: HubProject,
  how: { signal: AbortSignal | undefined; watch: WatchTransfer | undefined },
): Promise<Fetched> {
  const remote = await remoteOf(git, project.source, env)
  return fetchProject({ git, clones, clock }, project, remote, how)
}

/** The stored fetch, if the remote is seen not to have changed since; null: it has to be asked. */
async function unchanged(
  { git, clones, clock }: HubParts,
  fetches: RecentFetches,
  project: HubProject,
  state: string | null,
): Promise<Fetched | null> {
  const last = state === null ? null : fetches.at(project, state)
  if (last === null) return null
  const here = await currentProject({ git, clones, clock }, project)
  if (here?.commit !== last.commit || here.baseBranch !== last.baseBranch) return null
  const fetchedAt = clock.now()
  await clones.noteFetched(clones.path(project.id), fetchedAt)
  return { ...here, fetchedAt }
}

async function publish(
  { git, clones, env }: HubParts,
  project: HubProject,
  refs: (string | PinnedRef)[],
  signal?: AbortSignal,
): Promise<Published> {
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
