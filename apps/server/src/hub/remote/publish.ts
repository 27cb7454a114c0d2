import { HubError, type PinnedRef, type Published } from '../../ports/hub.ts'
import { saysFullDisk } from '@beadloom/core/text/full-disk.ts'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { type Git, GitFailure } from '../git/git.ts'
import { checkCommit, checkRef, remoteHeadOf } from '../clones/names.ts'
import { type Move, Refs } from '../git/refs.ts'
import { throughRedirects } from './redirect.ts'
import { type Remote, withoutCredentials } from './remote.ts'
import { isTooLarge, remoteError } from './remote-error.ts'
import { transferIn } from './transfer-reader.ts'

const PUSH_TIMEOUT_MS = 15 * 60_000

type Failed = Published['failed'][number]
export type PublishDeps = { git: Git; gitDir: string }

/** Pushes refs, never by force; each arrives or fails by itself. Trouble with the remote is an answer, not an error. */
export async function publishRefs(
  deps: PublishDeps,
  remote: Remote,
  refs: (string | PinnedRef)[],
  signal?: AbortSignal,
): Promise<Published> {
  const local = new Refs(deps.git, deps.gitDir)
  const wanted = new Map<string, string>()
  const failed: Failed[] = []
  for (const one of refs) {
    const ref = refOf(one)
    const commit = await local.tip(typeof one === 'string' ? ref : checkCommit(one.commit))
    if (commit === null) failed.push({ ref, why: `the hub has no ${ref}`, kind: 'refused' })
    else wanted.set(ref, commit)
  }
  if (wanted.size === 0) return { ok: failed.length === 0, failed }

  const answer = await pushAll(deps, remote, wanted, signal)
  const arrived: PinnedRef[] = []
  for (const [ref, commit] of wanted) {
    const problem = answer.get(ref)
    if (problem) failed.push(problem)
    else arrived.push({ ref, commit })
  }
  await remember(local, arrived)
  return { ok: failed.length === 0, failed }
}

/** The answer when the remote is so broken that no push can be tried: every ref failed for the same reason. */
export function allUnreachable(refs: (string | PinnedRef)[], error: HubError): Published {
  return { ok: false, failed: refs.map((one) => ({ ref: refOf(one), why: error.message, kind: 'unreachable' })) }
}

/** Branches only: an execution's refs under `refs/beadloom/` are for the hub alone. */
function refOf(one: string | PinnedRef): string {
  const ref = checkRef(typeof one === 'string' ? one : one.ref)
  if (ref.startsWith('refs/heads/')) return ref
  throw new HubError('refused', `${ref} is no branch, and nothing else is ever published`)
}

/** Each ref's problem; null if it arrived. */
async function pushAll(
  deps: PublishDeps,
  remote: Remote,
  wanted: Map<string, string>,
  signal?: AbortSignal,
): Promise<Map<string, Failed | null>> {
  try {
    return await throughRedirects(deps.git, remote, (at) => push(deps, at, wanted, signal), signal)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return new Map([...wanted.keys()].map((ref) => [ref, unanswered(ref, error, remote)]))
  }
}

async function push(
  deps: PublishDeps,
  remote: Remote,
  wanted: Map<string, string>,
  signal?: AbortSignal,
): Promise<Map<string, Failed | null>> {
  const args = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--no-force-with-lease',
    '--recurse-submodules=no',
    ...remote.receivePack,
    '--end-of-options',
    remote.url,
    ...[...wanted].map(([ref, commit]) => `${commit}:${ref}`),
  ]
  const { env, config } = remote
  const call = { gitDir: deps.gitDir, args, env, config, timeoutMs: PUSH_TIMEOUT_MS, answers: [1], signal }
  const { stdout, stderr } = await deps.git.run(call)
  const results = parsePorcelain(stdout.toString('utf8'), stderr, remote)
  const silent = new GitFailure('push', { code: 1, stderr })
  for (const ref of wanted.keys()) if (!results.has(ref)) results.set(ref, unanswered(ref, silent, remote))
  return results
}

/** The remote says nothing about this ref. */
function unanswered(ref: string, error: HubError, remote: Remote): Failed {
  const known = remoteError(error, remote) as HubError
  const kind = known.kind === 'auth' ? 'auth' : isTooLarge(error) ? 'refused' : 'unreachable'
  return { ref, why: known.message, kind }
}

/** One line for each ref: flag, tab, `from:to`, tab, summary with the reason in parentheses. */
function parsePorcelain(text: string, stderr: string, remote: Remote): Map<string, Failed | null> {
  const results = new Map<string, Failed | null>()
  for (const line of text.split('\n')) {
    const [, flag, ref, summary] = /^([ +\-*=!])\t[^\t]*:([^\t]+)\t(.*)$/.exec(line) ?? []
    if (flag === undefined || ref === undefined || summary === undefined) continue
    results.set(ref, flag === '!' ? rejected(ref, summary, stderr, remote) : null)
  }
  return results
}

function rejected(ref: string, summary: string, stderr: string, remote: Remote): Failed {
  const branch = ref.replace(/^refs\/heads\//, '')
  const reason = withoutCredentials(inBrackets(summary))
  if (/fetch first|non-fast-forward|stale info|needs force/.test(reason)) {
    return {
      ref,
      kind: 'moved',
      why: `${branch} on ${remote.name} has commits that the hub does not have (${reason}): fetch, bring them in, and publish again.`,
    }
  }
  if (/currently checked out/.test(reason)) {
    return {
      ref,
      kind: 'refused',
      why: `${branch} is checked out in ${remote.name}, and a branch is never moved under somebody's feet. Switch that working tree to another branch, or choose another workBranch in beadloom.json.`,
    }
  }
  const words = wordsOf(stderr)
  const said = words === '' ? '' : ` The server says: ${words}`
  const inTheWay = nameInTheWay(ref, stderr)
  if (inTheWay !== null) {
    return {
      ref,
      kind: 'refused',
      why: `${remote.name} has a branch ${inTheWay}, so that there can be none named ${branch}. Rename that one, or choose another workBranch in beadloom.json.`,
    }
  }
  // A lock that is held or left over, a full disk, a lost race: none of this is about the commits.
  const mayPass = /remote failed to report status|unpacker error|atomic|cannot lock ref|failed to update ref/.test(
    reason,
  )
  if (mayPass && !isAboutContents(stderr)) {
    return { ref, kind: 'unreachable', why: `${remote.name} did not take ${branch} (${reason}); try again.${said}` }
  }
  return { ref, kind: 'refused', why: `${remote.name} refused ${branch}: ${reason.slice(0, 300)}${said}` }
}

/** Whether the remote refuses what the commits hold: their size, or an object that its git calls malformed. */
function isAboutContents(stderr: string): boolean {
  const lines = stderr.split(/[\r\n]/).filter((line) => line.startsWith('remote:') && !saysFullDisk(line))
  return lines.some((line) => CONTENTS.test(line))
}

const CONTENTS = /\bexceeds|too large|maximum|\bfsck\b|error in (?:(?:un)?packed )?object|: object [0-9a-f]{40}/i

/** `[remote rejected] (pre-receive hook declined)`: a remote may write anything between the brackets. */
function inBrackets(summary: string): string {
  const [text, from] = [summary.trimEnd(), summary.indexOf('(')]
  return from >= 0 && text.endsWith(')') ? text.slice(from + 1, -1) : summary
}

const MOST_LINES = 8
const MOST_WORDS = 800

/** The remote's own words: a protection, a missing signature, a too large file. */
function wordsOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]/).flatMap((line) => {
    const [, words = ''] = /^remote: ?(.*)$/.exec(line) ?? []
    const plain = stripAnsi(words).trim()
    // Progress, and lines that only frame others.
    return transferIn(line) !== null || !/[\p{L}\p{N}]/u.test(plain) ? [] : [plain]
  })
  const all = [...new Set(lines)]
  const more = all.length > MOST_LINES ? ` … and ${all.length - MOST_LINES} more lines` : ''
  const text = withoutCredentials(all.slice(0, MOST_LINES).join(' | '))
  return text.length <= MOST_WORDS ? `${text}${more}` : `${text.slice(0, MOST_WORDS).toWellFormed()}…`
}

/** A branch's name cannot also be a folder of branches. Only git's own line about this ref counts, not a hook's. */
function nameInTheWay(ref: string, stderr: string): string | null {
  const line = stderr.split('\n').find((one) => one.includes(`cannot lock ref '${ref}':`)) ?? ''
  return /'refs\/heads\/([^'\s]{1,200})' exists; cannot create/.exec(line)?.[1] ?? null
}

/** Notes the remote's new state, so that no fetch is needed to know it. */
async function remember(local: Refs, arrived: PinnedRef[]): Promise<void> {
  const moves: Move[] = []
  for (const { ref, commit } of arrived) {
    const tracking = remoteHeadOf(ref.slice('refs/heads/'.length))
    moves.push({ ref: tracking, from: await local.tip(tracking), to: commit })
  }
  await local.moveAll(moves)
}
