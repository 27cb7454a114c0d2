import { descriptionFor } from '@beadloom/core/bead/tracker-line.ts'
import { titleFor } from '../../ports/bead-words.ts'
import type { ChangeOutcome, TrackerChange } from '../../ports/tracker.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'
import { TrackerError, wordOf } from '../../ports/tracker.ts'
import type { BdCommands } from './bd-commands.ts'
import { editBead } from './bd-edit.ts'
import { typeFor } from '../jsonl/bead-text.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'
import { planStatus } from '../status-plan.ts'

type Of<K extends TrackerChange['kind']> = Extract<TrackerChange, { kind: K }>

const written = { result: 'written' } as const
const textIn = (issue: JsonObject, key: string): string => (typeof issue[key] === 'string' ? issue[key] : '')
const labelsIn = (issue: JsonObject): string[] =>
  Array.isArray(issue['labels']) ? issue['labels'].filter((label) => typeof label === 'string') : []

/** Makes one change to the bead in its current state. Throws `TrackerError` if a command fails. */
export async function writeBead(bd: BdCommands, change: TrackerChange): Promise<ChangeOutcome> {
  const issue = await bd.show(change.bead)
  if (change.kind === 'create') return create(bd, change, issue)
  if (issue === null) return { result: 'later', text: `${change.bead} is not in the tracker` }
  switch (change.kind) {
    case 'status':
      return setStatus(bd, change, issue)
    case 'describe':
      return describe(bd, change, issue)
    case 'edit':
      return editBead(bd, change.bead, change.edits, issue)
    case 'comment':
      return comment(bd, change)
  }
}

async function setStatus(bd: BdCommands, change: Of<'status'>, issue: JsonObject): Promise<ChangeOutcome> {
  const theirs = textIn(issue, 'status') || 'open'
  const plan = planStatus(change, issue)
  if (plan === 'there') return { ...written, word: theirs }
  if ('result' in plan) return plan
  const { word, add, drop, assign } = plan
  const labels = [
    ...add.flatMap((label) => ['--add-label', label]),
    ...drop.flatMap((label) => ['--remove-label', label]),
  ]
  if (word === 'closed') {
    if (labels.length > 0) await bd.change('update', [change.bead, ...labels])
    await bd.change('close', [change.bead, `--reason=${change.reason}`])
    return { ...written, word }
  }
  const assignee = assign === 'as-is' ? [] : ['--assignee', assign === 'ours' ? ACTOR : '']
  const args = [change.bead, '--status', word, ...assignee, ...labels]
  if (bd.hasGuards) return updateIf(bd, change, issue, args)
  if (change.held && word === 'in_progress' && theirs === 'open') {
    if (labels.length > 0) await bd.change('update', [change.bead, ...labels])
    return claim(bd, change)
  }
  await bd.change('update', args)
  return { ...written, word }
}

/**
 * Writes only if nobody has set the bead's status or claimed it since the last look; else looks again, once. A claim
 * made like this has no lease, which somebody would have to renew: `bd reclaim` does not take it for a dead worker's.
 */
async function updateIf(
  bd: BdCommands,
  change: Of<'status'>,
  issue: JsonObject,
  args: readonly string[],
): Promise<ChangeOutcome> {
  const guards = [`--if-status=${textIn(issue, 'status') || 'open'}`, `--if-assignee=${textIn(issue, 'assignee')}`]
  try {
    await bd.change('update', [...args, ...guards])
    return { ...written, word: wordOf(change.status) }
  } catch (error) {
    if (!(error instanceof TrackerError) || error.kind !== 'broken') throw error
    const outcome = await settledMeanwhile(bd, change)
    if (outcome === null) throw error
    return outcome
  }
}

/** Looks again after a refused change; null if it must still be made. */
async function settledMeanwhile(bd: BdCommands, change: Of<'status'>): Promise<ChangeOutcome | null> {
  const now = await bd.show(change.bead)
  if (now === null) return { result: 'overruled', text: `${change.bead} was deleted in the tracker` }
  const plan = planStatus(change, now)
  if (plan === 'there') return { ...written, word: wordOf(change.status) }
  return 'result' in plan ? plan : null
}

/** Claims atomically if possible. A bead that is only assigned to somebody is not claimed yet, and stays assigned. */
async function claim(bd: BdCommands, change: Of<'status'>): Promise<ChangeOutcome> {
  const id = change.bead
  try {
    const issue = await bd.change('update', [id, '--claim'])
    if (issue['id'] === id && issue['assignee'] === ACTOR && issue['status'] === 'in_progress')
      return { ...written, word: 'in_progress' }
  } catch (error) {
    if (!(error instanceof TrackerError) || error.kind !== 'broken') throw error
  }
  const outcome = await settledMeanwhile(bd, change)
  if (outcome !== null) return outcome
  await bd.change('update', [id, '--status', 'in_progress'])
  return { ...written, word: 'in_progress' }
}

async function comment(bd: BdCommands, { bead, execution, text }: Of<'comment'>): Promise<ChangeOutcome> {
  // A server that died right after writing tries again: its comment is recognised by the execution in it.
  const known = await bd.comments(bead)
  if (known.some((one) => one['author'] === ACTOR && textIn(one, 'text').includes(execution))) return written
  await bd.change('comment', [bead, '--stdin'], text)
  return written
}

async function describe(bd: BdCommands, change: Of<'describe'>, issue: JsonObject): Promise<ChangeOutcome> {
  const ours = descriptionFor(change.description)
  const theirs = textIn(issue, 'description')
  if (change.was !== null && theirs !== descriptionFor(change.was) && theirs !== ours)
    return {
      result: 'overruled',
      text: `the description of ${change.bead} was changed in the tracker, so that version is kept`,
    }
  const missing = change.labels.filter((label) => !labelsIn(issue).includes(label) && !label.includes(','))
  if (theirs === ours && missing.length === 0) return written
  const labels = missing.flatMap((label) => ['--add-label', label])
  await bd.change('update', [change.bead, '--body-file', '-', ...labels], ours)
  return written
}

/**
 * Creates the bead only if it is missing, because `bd create --id` replaces an existing one. Adds missing dependencies
 * either way.
 */
async function create(
  bd: BdCommands,
  { bead, content }: Of<'create'>,
  known: JsonObject | null,
): Promise<ChangeOutcome> {
  if (known === null) {
    const labels = content.labels.filter((label) => !label.includes(','))
    const text = descriptionFor(content.description)
    const body = text.trim() === '' ? undefined : text // since 1.3, an empty file is refused
    const args = [
      `--title=${titleFor(content.title)}`,
      `--id=${bead}`,
      '--force', // its prefix may differ from the database's
      ...(body === undefined ? [] : ['--body-file=-']),
      `--priority=${content.priority}`,
      `--type=${typeFor(content.type)}`,
      ...(labels.length === 0 ? [] : [`--labels=${labels.join(',')}`]),
    ]
    const made = await bd.change('create', args, body)
    if (made['id'] !== bead)
      throw new TrackerError('broken', `bd create created ${textIn(made, 'id')} instead of ${bead}`)
  }
  const now = (await bd.show(bead)) ?? {}
  const there = new Set(
    (Array.isArray(now['dependencies']) ? now['dependencies'] : []).filter(isObject).map(({ id }) => id),
  )
  for (const { dependsOn, type } of content.dependencies) {
    if (there.has(dependsOn) || (await bd.show(dependsOn)) === null) continue
    await bd.change('dep', ['add', bead, dependsOn, `--type=${type}`])
  }
  return written
}
