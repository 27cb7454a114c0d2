import type { ProjectView, ServerStatus } from '@beadloom/core/api/api.ts'
import { bytesText } from '../../ui/count-text.ts'

/** `null`: not known yet, or its turn has not come. */
export type FirstStep = { id: string; title: string; text: string; done: boolean | null }

/** What has to be in place before the first bead is done, in the order in which a person comes to it. */
export function firstSteps(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep[] {
  return [
    {
      id: 'engine',
      title: 'The container engine is reachable',
      text: status?.docker.text ?? 'asking the server',
      done: status === null ? null : status.docker.ok,
    },
    repository(status, projects),
    model(status, projects),
    ...disk(status),
    firstBead(status, projects),
  ]
}

function repository(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'repository', title: 'A repository is readable' }
  if (status === null) return { ...step, text: 'asking the server', done: null }
  if (projects.length === 0) return { ...step, text: 'Add a project: a folder on this computer, or a URL.', done: null }
  const read = projects.filter(({ problem, syncedAt }) => problem === null && syncedAt !== null)
  if (read.length > 0) return { ...step, text: names(read), done: true }
  const broken = projects.find(({ problem }) => problem !== null)
  return broken
    ? { ...step, text: `${broken.name}: ${broken.problem ?? ''}`, done: false }
    : { ...step, text: 'being read', done: null }
}

function model(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'model', title: 'A model and its credentials are set' }
  if (status === null) return { ...step, text: 'asking the server', done: null }
  if (status.model.ok) {
    const scripted = status.model.name === 'scripted'
    return { ...step, text: scripted ? 'scripted: replays a recorded scenario; no AI' : status.model.text, done: true }
  }
  // A project may name its own model, or be done by a command line that brings one.
  const own = projects.filter(({ model: name, agent }) => name !== null || agent === 'command')
  const real = own.filter(({ model: name }) => name !== 'scripted')
  if (real.length > 0) return { ...step, text: `of the projects themselves: ${names(real)}`, done: true }
  if (own.length > 0)
    return { ...step, text: `${names(own)} replays a recorded scenario; no AI. ${forReal}`, done: true }
  return { ...step, text: status.model.text, done: false }
}

/** Only a person whose disk is full has to know that there is such a step. */
const disk = (status: ServerStatus | null): FirstStep[] =>
  status === null || status.disk.ok
    ? []
    : [
        {
          id: 'disk',
          title: 'There is room on the disk',
          text: `${bytesText(status.disk.freeBytes)} free: below 2 GiB nothing starts`,
          done: false,
        },
      ]

function firstBead(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'bead', title: 'A first bead has run' }
  if (status === null) return { ...step, text: 'asking the server', done: null }
  const ended = status.figures.ended.reduce((sum, { count }) => sum + count, 0)
  if (ended > 0) return { ...step, text: ended === 1 ? '1 run has ended' : `${ended} runs have ended`, done: true }
  if (status.running.length > 0) return { ...step, text: 'it runs', done: null }
  const text = projects.length === 0 ? 'comes after the project' : 'Press Run on a bead of the board.'
  return { ...step, text, done: null }
}

const forReal =
  'For real work set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider), then start the server again.'

const names = (projects: readonly ProjectView[]): string => {
  const some = projects.slice(0, 3).map(({ name }) => name)
  return projects.length > some.length
    ? `${some.join(', ')} and ${projects.length - some.length} more`
    : some.join(', ')
}
