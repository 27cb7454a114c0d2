import type { Identity } from '../project/identity.ts'
import type { AgentDefinition } from '../agents/named/agent-definition.ts'
import type { PresetName } from '../agents/agent-names.ts'
import type { FreshStartsOrder } from './fresh-starts/fresh-starts.ts'
import type { ExecutionId, SessionId } from '../ids.ts'
import type { VerifyStep } from './verification.ts'

/**
 * What a session's process gets when it asks the link `GET /session`, or at its gate (`GATE`). Nothing comes by environment or
 * argument, so a container can start before its work is known.
 *
 * The link, seen from inside the container at `http://127.0.0.1:4610`:
 * - `GET /session` answers 200 with a `SessionOrder`, or 204 after at most 25 s: ask again.
 * - `/git/hub.git` is git smart HTTP: fetch everything, push only `branch` and `refs/beadloom/{execution}/…`.
 * - `/v1/…` is the gateway, without a key.
 */
export type SessionOrder = {
  session: SessionId
  execution: ExecutionId | null
  workspace: string
  git: GitOrder
  /** The project's own variables, of every command. */
  env?: Record<string, string>
  work: Work
  /** It may reach some hosts outside, by the proxy at `EGRESS_PORT`. */
  proxied?: true
}

export type GitOrder = {
  /** `http://127.0.0.1:4610/git/hub.git` */
  url: string
  /** The branch to work on, which the hub already has. */
  branch: string
  /** The commit to start a fresh workspace from. */
  commit: string
  /**
   * Where the branch is, if that is known for sure. A fresh workspace that has this commit already, as one of a prepared
   * image mostly does, asks the hub for nothing; other branches are then as it knew them.
   */
  tip?: string
  /**
   * All that `tip` has and the fresh workspace has not, as git packs it, in base64: then nobody is asked for it. It leans on a
   * commit that the workspace should have; where it does not, the hub is asked.
   */
  pack?: string
  /**
   * The commit that a session before this one has left in the workspace, clean and configured, with nothing run since. Where it
   * is `commit`, nothing has to be looked after again.
   */
  ready?: string
  /** Submodules, those within another after it. Absent: there are none. */
  modules?: ModuleOrder[]
  author: Identity
  /** Absent: the author. */
  committer?: Identity
  /** Named in each commit as who wrote it, beside the author. */
  coAuthor?: Identity
}

/** Where the files of a submodule belong, and a commit in the hub that has them and nothing before. */
export type ModuleOrder = { path: string; commit: string }

export type Work =
  /**
   * Check out `git.commit` and run `command`. The container is then committed as the project's image. `secrets` are
   * of that command's environment alone, are left out of what it prints, and make it fail where it has written them.
   * `clean`: whatever git neither knows nor ignores is removed after the checkout.
   */
  | { kind: 'setup'; command: string | null; timeoutMs: number; secrets?: Record<string, string>; clean?: true }
  | AgentWork
  | ReviewWork
  /**
   * Clean checkout of `git.commit` on top of what `setup` installed, then each step in a section of its name. The steps
   * after a failed `build` are left out, unless `all` are to run. Exit code 0 and `result` success mean passed; `exitCode`
   * is that of the first failed step. With `tests` these files are as they are in another commit, or are not there.
   */
  | { kind: 'verify'; steps: VerifyStep[]; all?: true; tests?: TestsOf }
  /** Commit whatever is in the workspace and push it to `ref`; nothing else. */
  | { kind: 'save'; ref: string }

/**
 * Files of a commit, relative to the repository's root. `without`: those that are taken away; `texts`: what other files of the
 * checkout hold.
 */
export type TestsOf = { commit: string; paths: string[]; without?: string[]; texts?: { path: string; text: string }[] }

export type AgentWork = {
  kind: 'work'
  prompt: string
  /**
   * True for the first session of an execution: check out `git.branch`. Later ones find the workspace as it was left.
   */
  fresh: boolean
  commitMessage: string
  /** The ref for uncommitted work if the agent does not end well. */
  saveRef: string
  /**
   * Of a subtask: `git.commit` is checked out, on no branch, and what the agent leaves in the workspace is one commit on
   * this ref. Nothing goes to the branch.
   */
  leaves?: string
  /** Written into the workspace first, ignored by git, below `EXECUTION_FOLDER`. */
  files?: { path: string; text: string }[]
  agent: AgentOrder
  blockedGraceMs: number
}

/**
 * Clean checkout of `git.commit`, detached, and an agent that only looks. Its answer is in `review` events with this
 * `nonce`, so that nothing else in the container can answer in its place.
 */
export type ReviewWork = {
  kind: 'review'
  prompt: string
  nonce: string
  /** What it answers; default: a review. */
  form?: 'review' | 'plan'
  agent: AgentOrder
  blockedGraceMs: number
}

/**
 * How long an agent may stay after it has said BLOCKED, while it does nothing further: makes no tool call, has no result
 * of one, takes no step, gets no answer of its model. Enough to end by itself and to finish what it is writing.
 */
export const BLOCKED_GRACE_MS = 30_000

/** The built-in agent. */
export type OpenAiOrder = {
  name: 'openai'
  model: string
  maxSteps: number
  toolTimeoutMs: number
  toolOutputLimit: number
  /** How many tokens its model takes; absent: not known. */
  windowTokens?: number
  /** Tokens that are left of the narrowest limit as this order is made; absent: there is none. The gateway has the last word. */
  tokenBudget?: number
  /** Percent of its tokens, and of its model's window, at which it is told first; absent: the usual. */
  warnAtPercent?: number
  /** When those tokens are used up, a person is asked and its next call waits; absent: no call is answered any more. */
  onLimit?: 'ask'
  /** Whom it can ask to work for it; absent: those that are built in. */
  agents?: OrderedAgent[]
  /** Absent: what it has failed at it does not begin again. */
  freshStarts?: FreshStartsOrder
}

/** `windowTokens`: of its own model, where it has one. */
export type OrderedAgent = AgentDefinition & { windowTokens?: number }

export type AgentOrder =
  | OpenAiOrder
  /**
   * Any command line, run by `sh -c` in the workspace with the prompt on standard input. `files`: the commit that it is
   * from, whose files it may name.
   */
  | { name: 'command'; command: string; model: string; files?: string }
  /** An agent in the image, under `AGENTS_FOLDER`. Model null: it chooses itself. */
  | { name: 'preset'; preset: PresetName; model: string | null; arguments: string[] }

export const LINK_PORT = 4610
/** Where the proxy of a sandbox is, seen from in there. */
export const EGRESS_PORT = 4611
/** The variable of a session's environment that has the link's address. */
export const LINK_URL = 'BEADLOOM_LINK_URL'
/**
 * The variable with the number of a descriptor, in the environment of a process that was started ahead of its session:
 * it does nothing before it has read a byte from there. What follows that byte, up to the end, is its `SessionOrder` as JSON;
 * where nothing does, it asks.
 */
export const GATE = 'BEADLOOM_GATE'
/** Where the link's folder is mounted, and the socket in it. */
export const LINK_FOLDER = '/run/beadloom'
export const LINK_SOCKET = `${LINK_FOLDER}/link.sock`
/** Where the supervisor keeps what it knows of its sessions, and their output: on the container's own disk. */
export const SUPERVISOR_FOLDER = '/var/lib/beadloom'
export const WORKSPACE = '/workspace'
/** What an image has for the workspace of its containers, which copy it. */
export const ASIDE = `${SUPERVISOR_FOLDER}/workspace`
/** In it: what an agent can read about the plan that it is part of. */
export const EXECUTION_FOLDER = '.beadloom/execution'
/** Exit codes of the agent process itself. With `success` and `failed` the session ended as its `result` line says. */
export const agentExit = { success: 0, failed: 1, noLink: 70, crashed: 71 } as const
