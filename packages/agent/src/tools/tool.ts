import type { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import { describeIssue } from '@beadloom/core/settings/config-error.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { z } from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import type { Clock } from '../process/clock.ts'
import type { Env } from '../commands/run-command.ts'
import { isSystemError } from '../ends/session-failure.ts'
import type { OutputFolder } from './output-folder.ts'

z.config(en()) // zod/mini has no words of its own: every problem would be "Invalid input"

/** Means that a tool may use. */
export type ToolContext = {
  /** Absolute; the file tools read and write nothing outside of it. */
  workspace: string
  env: Env
  clock: Clock
  stop: AbortSignal
  /** The longest time of one call, in milliseconds. */
  timeoutMs: number
  /** Longest observation, in characters. */
  outputLimit: number
  /** Keeps longer ones in full. */
  outputs: OutputFolder
  /** The tokens of the agent that makes the call: a sub-agent has its own. */
  tokens: TokenView
}

/** An agent's tokens, as far as it may know them. */
export type TokenView = {
  /** The use of its model's context window. */
  context: () => { budget: number; used: number }
  spent: TokenTracker
  /** Whether it has the tool for sub-agents. */
  canSpawn: () => boolean
}

/** A result for the model; `ok` is for the record. `print` identifies a cut text: equal results have equal prints. */
export type Observation = { ok: boolean; text: string; print?: string }

export type Tool = {
  name: string
  description: string
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>
  /** Its name for people, if its other name is for models alone. */
  title?: string
  categories?: readonly string[]
  /** No call of any tool asks a person first: the container confines them. */
  requiresConfirmation?: false
  /**
   * Whether it changes nothing. Several read-only calls of one turn may run at the same time. If the arguments decide,
   * all of its calls in the turn must be read-only for that.
   */
  readOnly: boolean | ((args: string) => boolean)
  /** `args` is JSON as the model wrote it. Whatever it contains, the answer is an observation. */
  run(args: string, context: ToolContext): Promise<Observation>
}

/** A refusal by a tool, for a reason that the model can act on. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
}

export function parametersOf(input: z.ZodMiniType): Tool['parameters'] {
  const { $schema: _, ...parameters } = z.toJSONSchema(input) as Record<string, unknown>
  return parameters
}

export function defineTool<Schema extends z.ZodMiniType>(definition: {
  name: string
  description: string
  input: Schema
  readOnly?: boolean
  run: (input: z.output<Schema>, context: ToolContext) => Promise<Observation>
}): Tool {
  const { name, description, input, readOnly = false, run } = definition
  return {
    name,
    description,
    parameters: parametersOf(input),
    readOnly,
    async run(args, context) {
      try {
        return await run(parseArguments(input, args), context)
      } catch (error) {
        // An error of the file system is an observation, too; our bugs are not.
        if (error instanceof ToolRefusal || isSystemError(error)) return { ok: false, text: `Error: ${error.message}` }
        throw error
      }
    },
  }
}

function parseArguments<Schema extends z.ZodMiniType>(input: Schema, args: string): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(args.trim() || '{}')
  } catch (error) {
    throw new ToolRefusal(`the arguments are not valid JSON (${messageOf(error)})`)
  }
  const parsed = input.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(describeIssue)
  throw new ToolRefusal(`invalid arguments: ${problems.join('; ')}`)
}
