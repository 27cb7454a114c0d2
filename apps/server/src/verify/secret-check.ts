import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import {
  maskedPath,
  MORE_SECRETS,
  NO_SECRETS,
  secretText,
  TOO_MUCH_FOR_SECRETS,
  unsearchedText,
} from '@beadloom/core/secrets/secret-words.ts'
import type { FileToRead, FoundSecret, SecretsOfChange } from '@beadloom/core/secrets/found-secret.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { secretVerdict } from '@beadloom/core/execution/secret-verdict.ts'
import { addedSecrets, foundIn, rareLine } from '@beadloom/core/secrets/added-secrets.ts'
import type { SecretsFound } from '../execution/hidden-commits.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { WholeBytes } from '../ports/whole-bytes.ts'
import { refusal } from './refusal.ts'

/**
 * A text that looks like a secret fails the attempt that adds it, until it is gone or a person allows it: publishing
 * cannot be undone. If only an earlier commit had the secret, the work becomes one commit, so that the remote never
 * gets the earlier one. The server stores only a secret's beginning, its length and a mark.
 */
export async function secretCheck(
  live: LiveExecution,
  base: string,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { deps, settings, project, bead } = live
  const [first] = rows
  // A merge only combines searched work with commits of the remote or the work branch.
  if (!first || settings.foundSecrets === 'off' || first.purpose === 'merge' || first.commit === base) return null
  const { attempt, commit } = first
  const { large, ...searched } = await found(live, base, commit)
  const all = [...searched.now, ...searched.before]
  const allowed = deps.store.testsAllowed(project.id, bead.id)
  const sentence = (one: FoundSecret) =>
    secretText(one, deps.secretMark(`${one.rule}\0${one.path}\0${one.secret}`), all)
  const secrets = { ...searched, unsearched: unsearched(large, all) }
  const verdict = secretVerdict(secrets, settings.foundSecrets, allowed, sentence)
  if (verdict === null) return null
  const { text, ...rest } = verdict
  await deps.store.flagExecution(live.id, { kind: 'secrets', text: `attempt ${attempt}: ${text}` })
  const told: SecretsFound = { commit, ...rest }
  await deps.store.addEvent(live.id, first.session, 'secrets_found', told)
  const { refused } = verdict
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return refusal(live, rows, {
    name: NO_SECRETS,
    findings: refused,
    summary: `looks like a secret: ${said}`,
    digest: `The checks pass, but the work adds what looks like a secret, and would publish it: ${said}.\nTake it out of the files, and write it nowhere else: code reads it from its environment, or from a file that git ignores. You need not rewrite your commits, and cannot: if only an earlier one has it, Beadloom joins them all into one. An example has to look like one ("example", "changeme"). Only a person can allow a secret.`,
  })
}

type Found = {
  /** In the present files. */
  now: FoundSecret[]
  /** Only in an earlier commit of the work. */
  before: FoundSecret[]
  unread: string[]
  /** Files that git takes for binary and that are too large to be read. */
  large: { path: string; size: number }[]
}

const MOST_LARGE = 20

function unsearched(large: Found['large'], all: readonly FoundSecret[]): string[] {
  const told = large
    .slice(0, MOST_LARGE)
    .map(({ path, size }) => unsearchedText(maskedPath(path, all), bytesText(size)))
  return large.length > told.length ? [...told, `${large.length - told.length} more files not searched`] : told
}

async function found(live: LiveExecution, base: string, commit: string): Promise<Found> {
  const { hub, aside } = live.deps
  const project = live.project.id
  const { whole, each, messages, cut } = await hub.addedText(project, base, commit)
  const said = await aside.secrets([whole, each], messages)
  const inFiles = said && (await searchWhole(live, said.toRead))
  if (said === null || inFiles === null) return { now: [], before: [], unread: [TOO_MUCH_FOR_SECRETS], large: [] }
  const lines = foundIn(said.found, inFiles.found)
  const added = addedSecrets(lines, await hub.textsIn(project, base, lines.map(rareLine)))
  const unread = [...(cut ? [TOO_MUCH_FOR_SECRETS] : []), ...(said.more || inFiles.more ? [MORE_SECRETS] : [])]
  return { ...added, unread, large: inFiles.large }
}

type InFiles = Pick<SecretsOfChange, 'found' | 'more'> & Pick<Found, 'large'>

/** Searches files whose patches have no lines: git takes them for binary because of a zero byte or their size. */
async function searchWhole(
  { deps: { hub, aside }, project: { id } }: LiveExecution,
  toRead: readonly FileToRead[],
): Promise<InFiles | null> {
  const files = new Map<string, FileToRead>()
  // The whole work comes first: its secrets are not reported again for a commit.
  for (const one of toRead) if (!files.has(`${one.object} ${one.path}`)) files.set(`${one.object} ${one.path}`, one)
  if (files.size === 0) return { found: [], more: false, large: [] }
  const bytes = await hub.contents(
    id,
    [...files.values()].map(({ object }) => object),
  )
  const texts: WholeBytes[] = []
  const large: Found['large'] = []
  for (const { object, path, commit, isText } of files.values()) {
    const content = bytes.get(object)
    if (content instanceof Uint8Array) texts.push({ commit, path, bytes: content })
    else if (content !== undefined && isText !== true) large.push({ path, size: content })
  }
  const said = await aside.secrets([], texts)
  if (said === null) return null
  const isNew = await notBefore({ hub, id }, [...files.values()], said.found)
  return { found: said.found.filter(isNew), more: said.more, large }
}

/** Returns whether a secret is new: in none of the former bytes of its file. */
async function notBefore(
  { hub, id }: { hub: LiveExecution['deps']['hub']; id: ProjectId },
  files: readonly FileToRead[],
  found: readonly FoundSecret[],
): Promise<(one: FoundSecret) => boolean> {
  const former = (one: FoundSecret) =>
    files.filter(({ path, commit }) => path === one.path && commit === one.commit).flatMap(({ before }) => before)
  const bytes = await hub.contents(id, found.flatMap(former))
  const has = (object: string, secret: string) => {
    const content = bytes.get(object)
    if (content === undefined || typeof content === 'number') return false
    const whole = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    return whole.includes(secret) || whole.includes(Buffer.from(secret, 'utf16le'))
  }
  return (one) => !former(one).some((object) => has(object, one.secret))
}
