import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Tool } from '../tools/tool.ts'
import type { Loop } from './loop.ts'

/** Tools in the form in which they are offered to a model. */
export const offered = (tools: readonly Tool[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))

/** Characters of the tools that are offered with each question. */
export const toolCharacters = (tools: readonly Tool[]): number => JSON.stringify(offered(tools)).length

/** Characters of the next question, with tools. */
export const questionLength = ({ talk, role }: Pick<Loop, 'talk' | 'role'>): number =>
  talk.length + toolCharacters(role.tools())

export const hasSpawn = (tools: readonly Tool[]): boolean => tools.some(({ name }) => name === 'spawn_subagent')
