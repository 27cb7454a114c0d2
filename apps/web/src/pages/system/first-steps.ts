import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'

/** `done` null: unknown yet, or an earlier step comes first. */
export type FirstStep = { id: string; title: string; text: string; done: boolean | null }

/**
 * Everything that must be in place before the first bead is done, in the order of setting it up. A new step goes here.
 */
export function firstSteps(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep[] {
  return [
    {
      id: 'engine',
      title: 'Container engine reachable',
      text: status?.docker.text ?? 'checking…',
      done: status === null ? null : status.docker.ok,
    },
    repository(status, projects),
    model(status, projects),
    ...disk(status),
    firstBead(status, projects),
  ]
}

function repository(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'repository', title: 'Repository readable' }
  if (status === null) return { ...step, text: 'checking…', done: null }
  if (projects.length === 0) return { ...step, text: 'Add a project: a folder on this computer, or a URL.', done: null }
  const read = projects.filter(({ problem, syncedAt }) => problem === null && syncedAt !== null)
  if (read.length > 0) return { ...step, text: names(read), done: true }
  const broken = projects.find(({ problem }) => problem !== null)
  return broken
    ? { ...step, text: `${broken.name}: ${broken.problem ?? ''}`, done: false }
    : { ...step, text: 'reading…', done: null }
}

function model(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'model', title: 'Model and credentials set' }
  if (status === null) return { ...step, text: 'checking…', done: null }
  if (status.model.ok) {
    const scripted = status.model.name === 'scripted'
    return { ...step, text: scripted ? 'Demo · recorded run, no AI' : status.model.text, done: true }
  }
  // A project may name its own model, or an agent command that brings one.
  const own = projects.filter(({ model: name, agent }) => name !== null || agent === 'command')
  const real = own.filter(({ model: name }) => name !== 'scripted')
  if (real.length > 0) return { ...step, text: `set by the projects: ${names(real)}`, done: true }
  if (own.length > 0) return { ...step, text: `${names(own)}: demo · recorded run, no AI. ${forReal}`, done: true }
  return { ...step, text: status.model.text, done: false }
}

/** Shown only when the disk is full. */
const disk = (status: ServerStatus | null): FirstStep[] =>
  status === null || status.disk.ok
    ? []
    : [
        {
          id: 'disk',
          title: 'Disk space',
          text: `${bytesText(status.disk.freeBytes)} free; nothing starts below 2 GiB`,
          done: false,
        },
      ]

function firstBead(status: ServerStatus | null, projects: readonly ProjectView[]): FirstStep {
  const step = { id: 'bead', title: 'First bead has run' }
  if (status === null) return { ...step, text: 'checking…', done: null }
  const ended = status.figures.ended.reduce((sum, { count }) => sum + count, 0)
  if (ended > 0) return { ...step, text: `${counted(ended, 'execution')} finished`, done: true }
  if (status.running.length > 0) return { ...step, text: 'running', done: null }
  const text = projects.length === 0 ? 'Add a project first.' : 'Press Run on a bead on the board.'
  return { ...step, text, done: null }
}

const forReal = 'For real work, set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider) and restart the server.'

const names = (projects: readonly ProjectView[]): string => {
  const some = projects.slice(0, 3).map(({ name }) => name)
  return projects.length > some.length
    ? `${some.join(', ')} and ${projects.length - some.length} more`
    : some.join(', ')
}
