import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { ChangeBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { CliError, exitCode } from '../exit-code.ts'
import {
  descriptionOf,
  isUnknownType,
  priorityOf,
  shown,
  typeProblem,
  type Input,
  type NewBeadFlags,
} from './new-bead.ts'

export type EditFlags = Omit<NewBeadFlags, 'label' | 'dependsOn'> & {
  title?: string
  acceptance?: string
  addLabel?: string[]
  removeLabel?: string[]
  dependsOn?: string[]
  notDependsOn?: string[]
}

/**
 * The changes that the options of `beads edit` make to this bead, as the API takes them. Throws one `CliError` that
 * names every wrong option.
 */
export async function editOf(bead: BeadView, flags: EditFlags, stdin: Input): Promise<ChangeBead> {
  const problems: string[] = []
  if (flags.description !== undefined && flags.file !== undefined)
    problems.push('--description and --file: use one, not both')
  const priority = flags.priority === undefined ? undefined : priorityOf(flags.priority)
  if (priority === null) problems.push(`--priority ${shown(flags.priority)}: must be 0 (critical) to 4 (backlog)`)
  if (isUnknownType(flags.type)) problems.push(typeProblem(flags.type))
  if (flags.title?.trim() === '') problems.push('--title: must not be empty')
  if (problems.length > 0) throw wrong(problems)

  const description = await descriptionOf(flags, stdin)
  const change = {
    ...changeOf('title', bead.title, flags.title?.trim()),
    ...changeOf('description', bead.description, description),
    ...changeOf('acceptance', bead.acceptance ?? '', flags.acceptance),
    ...changeOf('type', bead.type, flags.type),
    ...changeOf('priority', bead.priority, priority ?? undefined),
    ...listOf('labels', flags.addLabel, flags.removeLabel),
    ...listOf('dependencies', flags.dependsOn?.map(edgeTo), flags.notDependsOn?.map(edgeTo)),
  }
  if (Object.keys(change).length === 0)
    throw wrong(['nothing to change: name at least one option, for example --title or --priority'])
  const parsed = ChangeBead.safeParse(change)
  if (parsed.success) return parsed.data
  throw wrong(parsed.error.issues.map(({ path, message }) => `${optionOf[String(path[0])] ?? '--'}: ${message}`))
}

const changeOf = <V>(field: string, was: V, to: V | undefined) => (to === undefined ? {} : { [field]: { was, to } })

const listOf = (field: string, add: unknown[] | undefined, remove: unknown[] | undefined) =>
  add === undefined && remove === undefined ? {} : { [field]: { ...(add && { add }), ...(remove && { remove }) } }

const edgeTo = (dependsOn: string) => ({ dependsOn })

const wrong = (problems: string[]): CliError => new CliError(problems.join('\n'), exitCode.usage)

const optionOf: Readonly<Record<string, string>> = {
  title: '--title',
  description: '--description',
  acceptance: '--acceptance',
  type: '--type',
  priority: '--priority',
  labels: '--add-label, --remove-label',
  dependencies: '--depends-on, --not-depends-on',
}
