import { commandClaim, place, toolClaim, unreadable } from '../../claims.ts'
import { fieldsOf, listOf, textOf, wordOf, type Fields } from '../../formats/records.ts'
import { isObject } from '../../../text/json-object.ts'
import { readYaml, type Yaml } from '../../formats/yaml-text.ts'
import type { CommandClaim, Note, Place, Reading, ServiceClaim, Tool, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { canBeService, MOST_SERVICES } from '../../../services/service-name.ts'
import { healthOfOptions, serviceImage, variablesOf } from '../compose-service.ts'
import { commandsIn } from './workflow-commands.ts'
import { workflowNames } from './workflow-names.ts'

const MOST_JOBS = 50
const MOST_STEPS = 100

/** `folder`: `.github/workflows`. Everything here is a hint: it is for another machine, often for several systems. */
export function workflows(folder: Folder): Reading | null {
  const names = workflowNames(folder.names)
  const readings = names.flatMap((name) => {
    const text = folder.text(name)
    if (text === null) return []
    const yaml = readYaml(text)
    if (yaml !== null && isObject(yaml.value)) return [workflow(folder, name, yaml, yaml.value)]
    return [{ notes: [unreadable(folder, name, 'YAML')] } as Reading]
  })
  if (readings.length === 0) return null
  return {
    tools: readings.flatMap(({ tools = [] }) => tools),
    commands: readings.flatMap(({ commands = [] }) => commands),
    services: readings.flatMap(({ services = [] }) => services),
    notes: readings.flatMap(({ notes = [] }): Note[] => notes),
  }
}

function workflow(folder: Folder, name: string, yaml: Yaml, value: Fields): Reading {
  const tools: ToolClaim[] = []
  const commands: CommandClaim[] = []
  const services: ServiceClaim[] = []
  for (const [id, one] of Object.entries(fieldsOf(value['jobs'])).slice(0, MOST_JOBS)) {
    const job = fieldsOf(one)
    const placeOf = (...path: (string | number)[]): Place => place(folder, name, yaml.line(['jobs', id, ...path]))
    services.push(...servicesOf(job, placeOf))
    for (const [at, entry] of listOf(job['steps']).slice(0, MOST_STEPS).entries()) {
      const step = fieldsOf(entry)
      tools.push(...setupAction(step, job, (...path) => placeOf('steps', at, ...path)))
      const script = textOf(step['run'])
      // Steps in another folder, or for another system, are not for the whole project.
      if (script === null || textOf(step['working-directory']) !== null) continue
      const { file, line } = placeOf('steps', at, 'run')
      for (const { purpose, command, at: below } of commandsIn(script)) {
        // A script of several lines begins below its key.
        const from = { file, line: line !== null && script.includes('\n') ? line + 1 + below : line }
        commands.push(...commandClaim({ ...folder, path: '' }, 'ci', purpose, command, from, 'hint'))
      }
    }
  }
  return { tools, commands, services }
}

/** The actions that install a toolchain, by the start of their names, and their input for its version. */
const ACTIONS: readonly [action: RegExp, tool: Tool, input: string][] = [
  [/^actions\/setup-node@/, 'node', 'node-version'],
  [/^pnpm\/action-setup@/, 'pnpm', 'version'],
  [/^oven-sh\/setup-bun@/, 'bun', 'bun-version'],
  [/^denoland\/setup-deno@/, 'deno', 'deno-version'],
  [/^actions\/setup-python@/, 'python', 'python-version'],
  [/^astral-sh\/setup-uv@/, 'python', 'python-version'],
  [/^actions\/setup-go@/, 'go', 'go-version'],
  [/^actions\/setup-java@/, 'java', 'java-version'],
  [/^actions\/setup-dotnet@/, 'dotnet', 'dotnet-version'],
  [/^ruby\/setup-ruby@/, 'ruby', 'ruby-version'],
  [/^shivammathur\/setup-php@/, 'php', 'php-version'],
  [/^erlef\/setup-beam@/, 'elixir', 'elixir-version'],
  [/^(?:dtolnay\/rust-toolchain|actions-rust-lang\/setup-rust-toolchain)@/, 'rust', 'toolchain'],
]

function setupAction(step: Fields, job: Fields, placeOf: (...path: string[]) => Place): ToolClaim[] {
  const uses = textOf(step['uses']) ?? ''
  const known = ACTIONS.find(([action]) => action.test(uses))
  if (known === undefined) return []
  const [, tool, input] = known
  const given = wordOf(fieldsOf(step['with'])[input])
  const from = given === null ? placeOf('uses') : placeOf('with', input)
  return versionsOf(given ?? ofRust(tool, uses), job)
    .slice(0, 10)
    .flatMap((version) => toolClaim(tool, version, from, { confidence: 'hint' }))
}

/** `dtolnay/rust-toolchain@1.80` has its version behind the `@`. */
const ofRust = (tool: Tool, uses: string): string | null =>
  tool === 'rust' ? (/@(\d[\d.]{0,10}|stable|nightly)$/.exec(uses)?.[1] ?? null) : null

/** One version, or those of the matrix that it refers to, possibly on several lines. */
function versionsOf(given: string | null, job: Fields): string[] {
  if (given === null) return []
  const named = /^\$\{\{\s{0,5}matrix\.([\w-]{1,40})\s{0,5}\}\}$/.exec(given)?.[1]
  if (named === undefined) return given.includes('${{') ? [] : given.split('\n').filter((one) => one.trim() !== '')
  return listOf(fieldsOf(fieldsOf(job['strategy'])['matrix'])[named])
    .map(wordOf)
    .filter((version) => version !== null)
}

function servicesOf(job: Fields, placeOf: (...path: string[]) => Place): ServiceClaim[] {
  return Object.entries(fieldsOf(job['services']))
    .slice(0, MOST_SERVICES)
    .flatMap(([name, value]) => {
      const service = fieldsOf(value)
      const image = serviceImage(service['image'])
      if (image === null || !canBeService(name)) return []
      const health = healthOfOptions(service['options'])
      return [
        {
          name,
          image,
          env: variablesOf(service['env'], (text) => (text.includes('${') ? null : text)),
          health,
          from: placeOf('services', name),
          confidence: 'usual' as const,
        },
      ]
    })
}
