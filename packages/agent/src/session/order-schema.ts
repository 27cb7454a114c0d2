import { grantableTools } from '@beadloom/core/agents/named/agent-definition.ts'
import { presetNames } from '@beadloom/core/agents/agent-names.ts'
import { describeIssue } from '@beadloom/core/settings/config-error.ts'
import { stepTypes } from '@beadloom/core/digest/digest-tool.ts'
import { z } from 'zod/mini'
import { BLOCKED_GRACE_MS, type SessionOrder } from '@beadloom/core/execution/session-order.ts'
import { SessionFailure } from '../ends/session-failure.ts'

/*
 * The order is trusted, because it comes from the server. It is still checked: the image that holds this program is
 * cached and may be older or newer than the server, and a half-understood order would do half the work.
 */

const text = z.string()
const positive = z.int().check(z.positive())
const identity = z.object({ name: text, email: text })

const NamedAgent = z.object({
  name: text,
  description: text,
  tools: z.nullable(z.array(z.enum(grantableTools))),
  model: z.nullable(text),
  prompt: text,
  windowTokens: z.optional(positive),
})

const VerifyStep = z.object({ type: z.enum(stepTypes), name: text, command: text, timeoutMs: positive })

const FreshStarts = z.object({
  maxRetries: z.int().check(z.nonnegative()),
  retryCondition: z.int().check(z.nonnegative()),
  template: text,
  checks: z.array(VerifyStep),
})

const AgentOrder = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('openai'),
    model: text,
    maxSteps: positive,
    toolTimeoutMs: positive,
    toolOutputLimit: positive,
    windowTokens: z.optional(positive),
    tokenBudget: z.optional(z.int().check(z.nonnegative())),
    warnAtPercent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
    onLimit: z.optional(z.literal('ask')),
    agents: z.optional(z.array(NamedAgent)),
    freshStarts: z.optional(FreshStarts),
  }),
  z.object({ name: z.literal('command'), command: text, model: text, files: z.optional(text) }),
  z.object({
    name: z.literal('preset'),
    preset: z.enum(presetNames),
    model: z.nullable(text),
    arguments: z.array(text),
  }),
])

/** Absent in the order of a server older than this program. */
const blockedGraceMs = z._default(positive, BLOCKED_GRACE_MS)

const Order = z.object({
  session: text,
  execution: z.nullable(text),
  workspace: z.string().check(z.startsWith('/')),
  git: z.object({
    url: text,
    branch: text,
    commit: text,
    tip: z.optional(text),
    pack: z.optional(text),
    ready: z.optional(text),
    modules: z.optional(z.array(z.object({ path: text, commit: text }))),
    author: identity,
    committer: z.optional(identity),
    coAuthor: z.optional(identity),
  }),
  env: z.optional(z.record(text, text)),
  work: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('setup'),
      command: z.nullable(text),
      timeoutMs: positive,
      secrets: z.optional(z.record(text, text)),
      clean: z.optional(z.literal(true)),
    }),
    z.object({
      kind: z.literal('work'),
      prompt: text,
      continues: z.optional(text),
      fresh: z.boolean(),
      commitMessage: text,
      saveRef: text,
      leaves: z.optional(text),
      files: z.optional(z.array(z.object({ path: text, text }))),
      agent: AgentOrder,
      blockedGraceMs,
    }),
    z.object({
      kind: z.literal('review'),
      prompt: text,
      nonce: text,
      form: z.optional(z.enum(['review', 'plan'])),
      agent: AgentOrder,
      blockedGraceMs,
    }),
    z.object({
      kind: z.literal('verify'),
      steps: z.array(VerifyStep).check(z.minLength(1)),
      all: z.optional(z.literal(true)),
      tests: z.optional(
        z.object({
          commit: text,
          paths: z.array(text),
          without: z.optional(z.array(text)),
          texts: z.optional(z.array(z.object({ path: text, text }))),
        }),
      ),
    }),
    z.object({ kind: z.literal('save'), ref: text }),
  ]),
  proxied: z.optional(z.literal(true)),
})

/** Throws a `SessionFailure` that names every problem. */
export function parseOrder(body: string): SessionOrder {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new SessionFailure(`this session's order is not JSON: ${body.slice(0, 200)}`)
  }
  const parsed = Order.safeParse(value)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(describeIssue)
    throw new SessionFailure(
      `this agent does not understand its session's order (is its image older than the server?): ${problems.join('; ')}`,
    )
  }
  return parsed.data as SessionOrder // the ids keep the server's brands; we only pass them on
}
