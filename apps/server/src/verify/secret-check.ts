import type { Verification } from '@beadloom/core/execution/verification.ts'
import { MORE_SECRETS, NO_SECRETS, secretText, TOO_MUCH_FOR_SECRETS } from '@beadloom/core/secrets/secret-words.ts'
import type { FoundSecret } from '@beadloom/core/secrets/found-secret.ts'
import { notAllowed } from '@beadloom/core/tamper/allowed.ts'
import type { SecretsFound } from '../execution/hidden-commits.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { refusal, whoAllowed } from './refusal.ts'

/**
 * A text that looks like a secret costs the attempt that adds it, until it is gone or a person allows it: once published,
 * it is known for good. If only an earlier commit had it, the work becomes one commit, so that the remote never gets that
 * one. The server stores how a secret begins, how long it is, and a mark, and nothing else of it.
 */
export async function secretCheck(
  live: LiveExecution,
  base: string,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { deps, settings, project, bead } = live
  const [first] = rows
  // A merge brings together work that was searched, and commits of the remote or the work branch.
  if (!first || settings.foundSecrets === 'off' || first.purpose === 'merge' || first.commit === base) return null
  const { attempt, commit } = first
  const { now, before, unread } = await found(live, base, commit)
  const sentence = (one: FoundSecret) => secretText(one, deps.secretMark(`${one.rule}\0${one.path}\0${one.secret}`))
  const findings = [...now.map(sentence), ...unread]
  const earlier = before.map(sentence)
  if (findings.length + earlier.length === 0) return null
  const refuses = settings.foundSecrets === 'refuse'
  const allowed = deps.store.testsAllowed(project.id, bead.id)
  const refused = refuses ? notAllowed([...now.filter((one) => one.refused).map(sentence), ...unread], allowed) : []
  const hidden = refuses && notAllowed(before.filter((one) => one.refused).map(sentence), allowed).length > 0
  const text = [
    ...(findings.length > 0
      ? [`${findings.join('; ')}${refused.length > 0 ? '' : whoAllowed(findings, allowed)}`]
      : []),
    ...(earlier.length > 0
      ? [
          `${earlier.join('; ')}${hidden ? '; its commits become one, so that this one is not published' : whoAllowed(earlier, allowed)}`,
        ]
      : []),
  ]
  await deps.store.flagExecution(live.id, { kind: 'secrets', text: `attempt ${attempt}: ${text.join('; ')}` })
  const told: SecretsFound = { commit, findings: [...findings, ...earlier], refused, hidden }
  await deps.store.addEvent(live.id, first.session, 'secrets_found', told)
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return refusal(live, rows, {
    name: NO_SECRETS,
    findings: refused,
    summary: `looks like a secret: ${said}`,
    digest: `The checks pass, but the work adds what looks like a secret, and would publish it: ${said}.\nTake it out of the files, and write it nowhere else: code reads it from its environment, or from a file that git ignores. Your commits need not be rewritten, and cannot be: where only an earlier one has it, Beadloom makes one commit of them all. What is only an example has to look like one ("example", "changeme"). Only a person can allow a secret.`,
  })
}

type Found = {
  /** In the files as they are now. */
  now: FoundSecret[]
  /** In an earlier commit of the work alone. */
  before: FoundSecret[]
  unread: string[]
}

async function found(
  { deps: { hub, aside }, project: { id } }: LiveExecution,
  base: string,
  commit: string,
): Promise<Found> {
  const { whole, each, cut } = await hub.addedText(id, base, commit)
  const said = await aside.secrets([whole, each])
  if (said === null) return { now: [], before: [], unread: [TOO_MUCH_FOR_SECRETS] }
  // Lines that moved, and what everybody has already.
  const known = await hub.textsIn(id, base, said.found.map(rareLine))
  const added = said.found.filter((one) => !known.has(rareLine(one)))
  const now = added.filter((one) => one.commit === '')
  const here = new Set(now.map(({ secret }) => secret))
  const before = new Map(
    added.filter((one) => one.commit !== '' && !here.has(one.secret)).map((one) => [`${one.path} ${one.secret}`, one]),
  )
  const unread = [...(cut ? [TOO_MUCH_FOR_SECRETS] : []), ...(said.more ? [MORE_SECRETS] : [])]
  return { now, before: [...before.values()], unread }
}

const LEAST_RARE = 8

/** A line by which a secret is known: a private key has many, and each is as rare as all. '': no line is rare enough. */
function rareLine({ secret }: FoundSecret): string {
  const longest = secret.split(/[\r\n]+/).reduce((best, line) => (line.length > best.length ? line : best), '')
  return longest.length < LEAST_RARE ? '' : longest
}
