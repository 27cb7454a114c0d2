import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ContainerStore } from '../../ports/store/containers.ts'
import type { ProjectStore } from '../../ports/store/projects.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'
import type { ServerFacts } from '../engines/server-facts.ts'

/** The present work in each place. */
export type Load = {
  projects: { project: string; queued: number; running: number }[]
  engines: { engine: string; up: boolean; slots: { total: number; used: number } }[]
  containers: { engine: string; state: string; count: number }[]
}

export type LoadDeps = {
  store: Pick<ContainerStore, 'containers'> & Pick<ProjectStore, 'projects'>
  index: Pick<LiveIndex, 'refresh' | 'live'>
  facts: Pick<ServerFacts, 'docker' | 'otherEngines'>
  slotsOf: (engine: string) => { total: number; used: number }
}

export function loadOf({ store, index, facts, slotsOf }: LoadDeps): Load {
  index.refresh()
  const live = index.live()
  const countOf = (project: string, state: string) =>
    live.filter((one) => one.project === project && one.state === state).length
  const groups = Map.groupBy(store.containers(), ({ engine, state }) => JSON.stringify([engine, state]))
  return {
    projects: store
      .projects()
      .map(({ id }) => ({ project: id, queued: countOf(id, 'QUEUED'), running: countOf(id, 'RUNNING') })),
    engines: [
      { engine: LOCAL_ENGINE, up: facts.docker.ok, slots: slotsOf(LOCAL_ENGINE) },
      ...facts.otherEngines().map(({ name, ok }) => ({ engine: name, up: ok, slots: slotsOf(name) })),
    ],
    containers: [...groups.values()].map((some) => ({
      engine: some[0]?.engine ?? '',
      state: some[0]?.state ?? '',
      count: some.length,
    })),
  }
}
