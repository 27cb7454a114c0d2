import type { Json } from './json.ts'

/** The API of the gateway that an agent speaks: `/v1/chat/completions`, `/v1/responses`, `/v1/messages`. */
export type AgentApi = 'chat' | 'responses' | 'messages'

/**
 * An agent that people already use, unchanged. Its package is installed once, at this version, under
 * `AGENTS_FOLDER/NAME` in an image; the rest is its command line and the meaning of its output.
 */
export type AgentPreset = {
  /** On the npm registry. */
  package: string
  /** The former package with the versions before `before`, if it was renamed. */
  former?: { package: string; before: string }
  /** The version that this was tested with; a project may ask for another. */
  version: string
  api: AgentApi
  /** The program within `node_modules/.bin` of its folder. */
  program: string
  call: (ask: AgentAsk) => AgentCall
  /** One for each session: the meaning of a line may depend on the lines before it. */
  translator: () => Translator
}

export type AgentAsk = {
  /** Absolute path of the program. */
  program: string
  /** The link without a slash at the end: `http://127.0.0.1:4610`. */
  linkUrl: string
  /** Null: the agent's own choice, if it has one. */
  model: string | null
  /** The project's own arguments, after ours. */
  extra: readonly string[]
  prompt: string
  /** Its last conversation in this home folder is continued with the prompt. */
  continues: boolean
}

export type AgentCall = {
  argv: [string, ...string[]]
  /** In addition to the variables of every command of a session. */
  env: Record<string, string>
  /** Text by path within the home folder: the agent's configuration. Written before it starts. */
  files: Record<string, string>
  /** A script that its commands get as their shell; absent: they have the usual one. */
  shell?: string
  /** Null: empty. */
  stdin: string | null
}

/**
 * The meaning of one line of JSON. Null: this agent does not write such lines. An empty list: people need nothing of
 * it. `repeats`: a later line contains all of it, so it is not kept; a long answer would fill the record with its own
 * beginnings.
 */
export type Translator = (line: Json) => AgentNews[] | 'repeats' | null

export type AgentNews =
  /** The agent's own text; the only place where `BLOCKED:` counts. */
  | { type: 'message'; text: string }
  | { type: 'tool_call'; call: string; tool: string; arguments: string; record?: OwnRecord }
  | { type: 'tool_result'; call: string; ok: boolean; text: string }
  /** For one model call or for all together, as the agent itself counts. `input` includes cached tokens. */
  | { type: 'usage'; model: string | null; input: number; output: number }
  | { type: 'warning'; text: string }
  /** The agent says that its work is over; its process may still run. `text`: why it failed. */
  | { type: 'over'; how: 'success' | 'failed'; text: string | null }
  /** It tries again: the end that it announced does not count. */
  | { type: 'resumed' }

/** The agent's own record of what a call did, which it does not print: one file a session, one JSON object a line. */
export type OwnRecord = {
  /** Within the home folder; the file may lie deeper. */
  folder: string
  /** The ending of the file's name. */
  ending: string
  /** The call's arguments, from a line about this call; null: the line is about another call. */
  argumentsIn: (line: Json) => string | null
}

export const AGENTS_FOLDER = '/opt/agents'
