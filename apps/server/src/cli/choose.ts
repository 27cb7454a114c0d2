import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { segment, type ApiClient } from './api-client.ts'
import { CliError } from './exit-code.ts'
import { NoServer } from '../health/server-file.ts'
import { UserError } from '../process/user-error.ts'

export type Choice = {
  /** The name given on the command line. */
  named: unknown
  cwd: string
  /** The command with a project named, for the message that asks for one. */
  how: (id: string) => string
}

/** The named project, else the one whose folder this is, else the only one. */
export async function chooseProject(api: ApiClient, choice: Choice): Promise<string> {
  return named(choice.named) ?? (await oneOf(await projectsOf(api), choice)).id
}

/** The same; if several projects are possible, the only one that has the bead. */
export async function chooseProjectOf(api: ApiClient, bead: string, choice: Choice): Promise<string> {
  const given = named(choice.named)
  if (given !== null) return given
  const projects = await projectsOf(api)
  const here = obvious(projects, choice.cwd)
  if (here) return here.id
  const having = await Promise.all(
    projects.map(async (project) => ((await hasBead(api, project.id, bead)) ? [project] : [])),
  )
  if (projects.length > 1 && having.flat().length === 0)
    throw new CliError(
      `no project has a bead "${bead}". ${listed(projects)} To list the beads of one: beadloom beads --project ${projects[0]?.id}`,
    )
  return (await oneOf(having.flat(), choice)).id
}

/** An execution's id, or the newest execution of a bead. */
export async function chooseExecution(api: ApiClient, given: string, choice: Choice): Promise<string> {
  if (/^ex-[a-z0-9]{10}$/.test(given)) return given
  const project = await chooseProjectOf(api, given, choice)
  const { execution } = await api.get<BeadView>(`/api/projects/${segment(project)}/beads/${segment(given)}`)
  if (execution) return execution
  throw new CliError(`the bead ${given} has not run yet. Run it: beadloom run ${given}`)
}

const NO_PROJECTS = 'there are no projects yet. Add one: beadloom project add FOLDER'

const named = (given: unknown): string | null => (typeof given === 'string' && given !== '' ? given : null)

const projectsOf = async (api: ApiClient): Promise<ProjectView[]> =>
  (await api.get<Page<ProjectView>>('/api/projects')).items

/** Whether there is any project. Without one, programs that read JSON and name none get an answer, not an error. */
export const hasProjects = async (api: ApiClient): Promise<boolean> => (await projectsOf(api)).length > 0

/** At least one. */
export async function allProjects(api: ApiClient): Promise<ProjectView[]> {
  const projects = await projectsOf(api)
  if (projects.length === 0) throw new CliError(NO_PROJECTS)
  return projects
}

/** Finds the project of this name; if there is none, the message names the existing ones. */
export function among(projects: ProjectView[], id: string): string {
  if (projects.some((project) => project.id === id)) return id
  throw new CliError(`there is no project "${id}". ${listed(projects)}`)
}

async function oneOf(projects: ProjectView[], { cwd, how }: Choice): Promise<ProjectView> {
  const [first] = projects
  if (!first) throw new CliError(NO_PROJECTS)
  const chosen = obvious(projects, cwd)
  if (chosen) return chosen
  throw new CliError(
    `there are several projects, so name the one you mean, as in "${how(first.id)}". ${listed(projects)}`,
  )
}

/** The only one, or the one whose folder we are in. */
function obvious(projects: ProjectView[], cwd: string): ProjectView | null {
  if (projects.length === 1) return projects[0] ?? null
  const around = projects.filter(({ source }) => isWithin(cwd, source))
  // A project's folder may lie within another's: take the innermost.
  return around.sort((a, b) => b.source.length - a.source.length)[0] ?? null
}

function isWithin(cwd: string, source: string): boolean {
  if (!source.startsWith(sep)) return false
  try {
    const folder = realpathSync(source)
    return cwd === folder || cwd.startsWith(`${folder}${sep}`)
  } catch {
    return false // it is on another machine, or gone
  }
}

const SHOWN = 20

function listed(projects: ProjectView[]): string {
  const more = projects.length > SHOWN ? ` and ${projects.length - SHOWN} more` : ''
  return `Projects: ${projects
    .slice(0, SHOWN)
    .map(({ id }) => id)
    .join(', ')}${more}.`
}

async function hasBead(api: ApiClient, project: string, bead: string): Promise<boolean> {
  try {
    await api.get(`/api/projects/${segment(project)}/beads/${segment(bead)}`)
    return true
  } catch (error) {
    if (error instanceof UserError && !(error instanceof NoServer)) return false // a refusal: it has no such bead
    throw error
  }
}
