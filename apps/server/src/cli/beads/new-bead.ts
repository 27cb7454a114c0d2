import '@beadloom/core/settings/config-error.ts' // its words for refusals
import { readFile } from 'node:fs/promises'
import { beadTypes, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { LONGEST_DESCRIPTION } from '@beadloom/core/bead/tracker-line.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

export type NewBeadFlags = {
  description?: string
  file?: string
  priority?: string
  type?: string
  label?: string[]
  dependsOn?: string[]
}

export type Input = AsyncIterable<Uint8Array | string> & { isTTY?: boolean }

/** The most characters of standard input that are read: more than a description may have. */
const MOST_READ = 4 * LONGEST_DESCRIPTION

/**
 * The bead that the options of `beads create` describe, within the API's limits. `-` means standard input.
 * Throws one `CliError` that names every wrong option.
 */
export async function newBeadOf(title: string, flags: NewBeadFlags, stdin: Input): Promise<NewBead> {
  const problems: string[] = []
  if (flags.description !== undefined && flags.file !== undefined)
    problems.push('--description and --file: use one, not both')
  const priority = flags.priority === undefined ? undefined : priorityOf(flags.priority)
  if (priority === null) problems.push(`--priority ${shown(flags.priority)}: must be 0 (critical) to 4 (backlog)`)
  if (isUnknownType(flags.type)) problems.push(typeProblem(flags.type))
  for (const { message } of NewBead.safeParse({ title: title.trim() }).error?.issues ?? [])
    problems.push(`the title: ${message}`)
  if (problems.length > 0) throw wrong(problems)

  const description = await descriptionOf(flags, stdin)
  const input = {
    title: title.trim(),
    ...(description === undefined || description.trim() === '' ? {} : { description }),
    ...(priority === undefined ? {} : { priority }),
    ...(flags.type === undefined ? {} : { type: flags.type }),
    ...(flags.label === undefined ? {} : { labels: flags.label }),
    ...(flags.dependsOn === undefined ? {} : { dependsOn: flags.dependsOn }),
  }
  const parsed = NewBead.safeParse(input)
  if (parsed.success) return parsed.data
  throw wrong(parsed.error.issues.map((issue) => `${optionOf(String(issue.path[0]))}: ${issue.message}`))
}

export const isUnknownType = (type: string | undefined): type is string =>
  type !== undefined && !beadTypes.some((one) => one === type)
export const typeProblem = (type: string): string => `--type ${shown(type)}: must be one of ${beadTypes.join(', ')}`

const wrong = (problems: string[]): CliError => new CliError(problems.join('\n'), exitCode.usage)
export const shown = (text: string | undefined): string => oneLiner(text ?? '').slice(0, 40)

/** Parses `2` and, as people write it, `P2`. */
export function priorityOf(text: string): number | null {
  const digit = /^p?([0-4])$/i.exec(text.trim())?.[1]
  return digit === undefined ? null : Number(digit)
}

const options: Record<string, string> = { labels: '--label', dependsOn: '--depends-on' }
const optionOf = (field: string): string => options[field] ?? `--${field}`

export async function descriptionOf(
  { description, file }: Pick<NewBeadFlags, 'description' | 'file'>,
  stdin: Input,
): Promise<string | undefined> {
  if (description === '-' || file === '-') return standardInput(stdin)
  if (file === undefined) return description
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${messageOf(error)}`)
  }
}

async function standardInput(stdin: Input): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stdin) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text.length > MOST_READ) break // already too long; the length check says so
  }
  return text + decoder.decode()
}
