import { argumentsOf, textIn, type CallArguments } from './call-arguments.ts'
import { outcomeOf, type CallKind } from './call-outcome.ts'
import { inRepository } from './in-repository.ts'
import { patchedFiles, patchedName, wholePatch } from './patched-files.ts'
import { innerCommand, lookOf } from './shell-words.ts'
import { smallDiff, type SmallDiff } from './small-diff.ts'
import type { CallResult } from './step.ts'

/**
 * A tool call in one line for people: "edited" `src/date.ts` +4 −1. `what` is the agent's text, `outcome` is ours. The
 * tools of every agent that Beadloom knows have verbs; others are "used".
 */
export type CallWords = {
  kind: CallKind
  verb: string
  what: string
  outcome: string
  diff: SmallDiff | null
}

const kinds = new Map<string, CallKind>()
const named = (kind: CallKind, ...tools: string[]) => {
  for (const tool of tools) kinds.set(tool, kind)
}
named(
  'edit',
  'edit_file',
  'edit',
  'multiedit',
  'apply_patch',
  'notebookedit',
  'patch',
  'str_replace',
  'str_replace_based_edit_tool',
)
named('write', 'write_file', 'write', 'create_file')
named('run', 'bash', 'shell', 'exec', 'run', 'command')
named('search', 'search', 'grep', 'glob', 'find', 'codesearch')
named('list', 'list', 'ls', 'list_files')
named('read', 'read_file', 'read', 'view')
named('web', 'webfetch', 'websearch', 'web_search', 'web_fetch', 'fetch')
named('ask', 'spawn_subagent', 'task', 'agent')

const doing = {
  edit: 'editing',
  write: 'writing',
  run: 'running',
  search: 'searching for',
  list: 'listing',
  read: 'reading',
  web: 'looking up',
  ask: 'asking',
  other: 'using',
}
const done = {
  edit: 'edited',
  write: 'wrote',
  run: 'ran',
  search: 'searched for',
  list: 'listed',
  read: 'read',
  web: 'looked up',
  ask: 'asked',
  other: 'used',
}
const failed = {
  ...done,
  edit: 'could not edit',
  write: 'could not write',
  read: 'could not read',
  list: 'could not list',
}

/** Tools without an object: the words while the call runs, when it is done, and when it failed. */
const whole = new Map<string, readonly [string, string, string]>()
const says = (doing: string, done: string, failed: string, ...tools: string[]) => {
  for (const tool of tools) whole.set(tool, [doing, done, failed])
}
const LIST = ['todowrite', 'todo_write', 'update_plan', 'todo'] as const
says('updating its to-do list', 'updated its to-do list', 'could not update its to-do list', ...LIST)
says('checking its token budget', 'checked its token budget', 'could not check its token budget', 'check_token_budget')
says('submitting the review', 'submitted the review', 'could not submit the review', 'submit_review')
says('submitting the plan', 'submitted the plan', 'could not submit the plan', 'submit_plan')

const WHAT_CHARACTERS = 300

export function callWords(tool: string, given: string, result: CallResult | null): CallWords {
  const args = argumentsOf(given)
  const came = result === null ? 0 : result.ok ? 1 : 2
  const said = whole.get(tool.toLowerCase())
  if (said) return { kind: 'other', verb: said[came], what: '', outcome: result?.ok ? listed(args) : '', diff: null }
  const { kind, what, isLook } = subjectOf(tool, args)
  return {
    kind,
    verb: [doing, done, failed][came]![kind],
    what,
    outcome: result === null ? '' : outcomeOf(kind, result, isLook),
    diff: kind === 'edit' || kind === 'write' ? changeOf(kind, args) : null,
  }
}

/** The same for a call that still runs, without its change: a diff takes a hundred times the work of the words. */
export function callNow(tool: string, given: string): Pick<CallWords, 'kind' | 'verb' | 'what'> {
  const said = whole.get(tool.toLowerCase())
  if (said) return { kind: 'other', verb: said[0], what: '' }
  const { kind, what } = subjectOf(tool, argumentsOf(given))
  return { kind, verb: doing[kind], what }
}

function subjectOf(tool: string, args: CallArguments): { kind: CallKind; what: string; isLook: boolean } {
  const named = kinds.get(tool.toLowerCase()) ?? 'other'
  const look = named === 'run' && isWhole(args) ? lookOf(commandIn(args)) : null
  const kind = look?.is ?? named
  const what = oneLine(look ? inRepository(look.what) : whatOf(kind, tool, args))
    .slice(0, WHAT_CHARACTERS)
    .toWellFormed()
  return { kind, what, isLook: look !== null }
}

/** The progress of a to-do list: "2 of 5 done". */
function listed({ values }: CallArguments): string {
  const items = values['todos'] ?? values['plan'] ?? values['items']
  if (!Array.isArray(items) || items.length === 0) return ''
  const ended = items.filter((one) => (one as { status?: unknown } | null)?.status === 'completed').length
  return `${ended} of ${items.length} done`
}

/** `diff` computes it: null if the log does not have all of it. */
export type CallEdit = { file: string; diff: () => SmallDiff | null }

/** The files that a call changed, with their diffs; empty for a call that edits nothing. */
export function editsOf(tool: string, given: string): CallEdit[] {
  const kind = kinds.get(tool.toLowerCase()) ?? 'other'
  if (kind !== 'edit' && kind !== 'write') return []
  const args = argumentsOf(given)
  const one = textIn(args, ...FILES)
  if (one !== null) return [{ file: inRepository(one), diff: () => changeOf(kind, args) }]
  return patchedFiles(args).map(({ file, diff }) => ({ file, diff: () => diff }))
}

const FILES = ['path', 'file_path', 'filePath', 'file', 'filename', 'notebook_path']

function whatOf(kind: CallKind, tool: string, args: CallArguments): string {
  switch (kind) {
    case 'edit':
    case 'write':
    case 'read':
      return inRepository(textIn(args, ...FILES) ?? (patchedFiles(args).map(patchedName).join(', ') || tool))
    case 'run':
      return commandIn(args)
    case 'search':
      return textIn(args, 'pattern', 'query', 'glob') ?? inRepository(textIn(args, ...FILES) ?? args.text)
    case 'list':
      return inRepository(textIn(args, ...FILES) ?? '') || 'the folder'
    case 'web':
      return textIn(args, 'url', 'query') ?? args.text
    case 'ask':
      return textIn(args, 'agent', 'subagent_type', 'description', 'name') ?? tool
    case 'other': {
      const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? []
      if (server !== undefined) return `${name} of ${server}`
      const detail = textIn(args, 'command', 'query', 'title', 'description', ...FILES)
      return detail === null ? tool : `${tool}: ${detail}`
    }
  }
}

const commandOf = (value: unknown): string | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' ') : null

const commandIn = (args: CallArguments): string =>
  innerCommand(textIn(args, 'command', 'cmd') ?? commandOf(args.values['command']) ?? args.text)

/** A command that the log has shortened may do more than its beginning says. */
const isWhole = (args: CallArguments): boolean => args.whole && !args.text.endsWith('…')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const BEFORE = ['old_text', 'old_string', 'oldString', 'oldText', 'old_str']
const AFTER = ['new_text', 'new_string', 'newString', 'newText', 'new_str']

/** Null if the arguments are incomplete: half of a change is none. */
function changeOf(kind: 'edit' | 'write', args: CallArguments): SmallDiff | null {
  if (!args.whole) return null
  if (kind === 'write') {
    const content = args.values['content'] ?? args.values['text']
    return typeof content === 'string' ? smallDiff('', content) : null
  }
  const { edits } = args.values
  if (Array.isArray(args.values['changes'])) return wholePatch(patchedFiles(args))
  const all = Array.isArray(edits) ? edits.slice(0, 50) : [args.values]
  const changes = all.map((one) => replaced(one)).filter((one) => one !== null)
  if (changes.length === 0 || changes.length < all.length) return null
  return {
    added: changes.reduce((sum, one) => sum + one.added, 0),
    removed: changes.reduce((sum, one) => sum + one.removed, 0),
    lines: changes.flatMap((one) => one.lines),
  }
}

function replaced(edit: unknown): SmallDiff | null {
  if (typeof edit !== 'object' || edit === null) return null
  const values = edit as Record<string, unknown>
  const [before, after] = [BEFORE, AFTER].map((names) =>
    names.map((name) => values[name]).find((one) => typeof one === 'string'),
  )
  return typeof before === 'string' && typeof after === 'string' ? smallDiff(before, after) : null
}
