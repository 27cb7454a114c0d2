import { isNetworkText } from '@beadloom/core/egress/network-words.ts'
import { isSummaryQuestion } from '../summary-words.ts'
import type { Entry, ScriptedRequest } from './scripted-request.ts'

/*
 * Finds how far a conversation is in its script. Nothing is kept between calls, so it is read from the request: the ids
 * of tool calls contain their turn, and turns without calls are counted.
 */

/**
 * The id of a call; `n` counts from 1. Short, and only letters, digits and underscores: agents pass ids on to servers
 * with rules of their own.
 */
export const callId = (prefix: 'call' | 'toolu', turn: number, n: number | string): string =>
  `${prefix}_scripted_${turn}_${n}`

const turnOf = (id: string): number | null => {
  const named = /_scripted_(\d{1,4})_/.exec(id)?.[1]
  return named === undefined ? null : Number(named)
}

/** Part of answers outside the script. An agent that shortens its conversation keeps it in the summary. */
export const progressMark = (played: number): string => `(scripted turns so far: ${played})`

const markedIn = (text: string): number | null => {
  const marks = [...text.matchAll(/\(scripted turns so far: (\d{1,4})\)/g)]
  return marks.length > 0 ? Math.max(...marks.map(([, turns]) => Number(turns))) : null
}

/** The number of the script's turns that this conversation has had. */
export function turnsPlayed(entries: readonly Entry[]): number {
  let played = 0
  for (const entry of entries) {
    if (entry.from === 'system') continue
    const named = (entry.from === 'assistant' ? entry.calls : entry.from === 'result' ? [entry.call] : [])
      .map(turnOf)
      .filter((turn) => turn !== null)
    const marked = entry.from === 'result' ? null : markedIn(entry.text)
    if (named.length > 0) played = Math.max(...named)
    else if (marked !== null) played = marked
    else if (entry.from === 'assistant') played += 1
  }
  return played
}

/** The bead's title from the prompt. Agents put their own text before the prompt, or quotes around it. */
export function titleIn(entries: readonly Entry[]): string | null {
  for (const entry of entries) {
    if (entry.from !== 'user') continue
    const title = /^TASK: Bead #\S+ - (.+)$/m.exec(entry.text)?.[1]?.trim()
    if (title) return title
  }
  return null
}

/**
 * Whether the prompt has a note for this execution: a person's, or Beadloom's about a conflict. The summary of an
 * earlier attempt does not count, nor the text for every agent about its network.
 */
export function hasNote(entries: readonly Entry[]): boolean {
  const prompt = entries.find(({ from, text }) => from === 'user' && /^TASK: Bead #/m.test(text))?.text ?? ''
  const [context = ''] = (prompt.split('\n=== ADDITIONAL CONTEXT ===\n').at(-1) ?? '').split('\n=== BEGIN WORK ===')
  const [words = ''] = context.split(/^---\nPREVIOUS ATTEMPT /m)
  return words.split('\n\n').some((paragraph) => paragraph.trim() !== '' && !isNetworkText(paragraph.trim()))
}

/** The folder that the agent works in, if it tells its model. */
export function folderIn(entries: readonly Entry[]): string | null {
  for (const entry of entries) {
    if (entry.from !== 'system' && entry.from !== 'user') continue
    const found = /<cwd>(\/[^<\n]*)<\/cwd>|\bworking directory: (\/[^\n]*)/i.exec(entry.text)
    if (found) return (found[1] ?? found[2] ?? '').trim()
  }
  return null
}

/**
 * Calls that are not about the work: a title for the session, a summary of it, whether a key works. They are recognized
 * by how they start. A bead about titles is not mistaken for one, because work comes with tools.
 */
const besides =
  /^\W*(?:You are a title generator|Generate a (?:\w+ )?title|Analyze if this message indicates a new conversation topic|quota\W*$|You are a context summarization assistant|You are a helpful AI assistant tasked with summarizing|Summarize this coding (?:conversation|session)|Generate a concise, sentence-case title)/i

/** A request for so short an answer is not a turn of a script. */
const SHORTEST_ANSWER_TOKENS = 64

export function isBeside({ entries, tools, longest }: ScriptedRequest): boolean {
  const last = entries.findLast(({ from }) => from === 'user')
  if (last && 'text' in last && isSummaryQuestion(last.text)) return true
  if (tools.length > 0) return false
  if (longest !== null && longest < SHORTEST_ANSWER_TOKENS) return true
  return entries.some((entry) => (entry.from === 'system' || entry.from === 'user') && besides.test(entry.text))
}

/** Commands that are still running: their tool stopped waiting, but the script's next turn needs them finished. */
export function stillRunning(entries: readonly Entry[]): number[] {
  const since = entries.findLastIndex(({ from }) => from === 'assistant')
  return entries.slice(since + 1).flatMap((entry) => {
    const id =
      entry.from === 'result' ? /^Process running with session ID (\d{1,9})$/m.exec(entry.text)?.[1] : undefined
    return id === undefined ? [] : [Number(id)]
  })
}
