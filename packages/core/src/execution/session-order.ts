import type { Identity } from '../records/identity.ts'
import type { AgentDefinition } from '../agents/named/agent-definition.ts'
import type { PresetName } from '../agents/agent-names.ts'
import type { FreshStartsOrder } from './fresh-starts/fresh-starts.ts'
import type { ExecutionId, SessionId } from '../records/ids.ts'
import type { VerifyStep } from '../records/verification.ts'

/**
 * The order that a session's process gets when it asks the link `GET /session`, or at its gate (`GATE`). Nothing is
 * passed by environment or argument, so a container can start before its work is known.
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
  /** The project's own variables, for every command. */
  env?: Record<string, string>
  work: Work
  /** It may reach some hosts outside, through the proxy at `EGRESS_PORT`. */
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
   * The branch's commit, if known for sure. A fresh workspace that already has this commit (from a prepared image it
   * mostly does) asks the hub for nothing; its other branches are then as old as the workspace.
   */
  tip?: string
  /**
   * The objects of `tip` that the fresh workspace does not have, as a git pack in base64: saves a fetch. It builds on a
   * commit that the workspace should have; if it does not, the workspace asks the hub.
   */
  pack?: string
  /**
   * The commit that an earlier session has left in the workspace, clean and configured, with nothing run since. If it
   * equals `commit`, the workspace needs no preparation.
   */
  ready?: string
  /** Submodules, those within another after it. Absent: there are none. */
  modules?: ModuleOrder[]
  author: Identity
  /** Absent: the author. */
  committer?: Identity
  /** Named in each commit as co-author, in addition to the author. */
  coAuthor?: Identity
}

/** The path of a submodule's files, and a commit in the hub with only these files and no history. */
export type ModuleOrder = { path: string; commit: string }

export type Work =
  /**
   * Check out `git.commit` and run `command`. The container is then committed as the project's image. `secrets` are
   * only in that command's environment, are left out of its output, and make it fail if it has written them into a
   * file. `clean`: untracked files that git does not ignore are removed after the checkout.
   */
  | { kind: 'setup'; command: string | null; timeoutMs: number; secrets?: Record<string, string>; clean?: true }
  | AgentWork
  | ReviewWork
  /**
   * Clean checkout of `git.commit` on top of the files that `setup` installed, then each step in a section of its name.
   * The steps after a failed `build` are left out, unless `all` is set. Exit code 0 and `result` success mean passed;
   * `exitCode` is the first failed step's. With `tests`, these files come from another commit, or are removed.
   */
  | { kind: 'verify'; steps: VerifyStep[]; all?: true; tests?: TestsOf }
  /** Commit everything in the workspace and push it to `ref`; nothing else. */
  | { kind: 'save'; ref: string }

/**
 * Files of a commit, relative to the repository's root. `without`: files to remove; `texts`: contents of other files of
 * the checkout.
 */
export type TestsOf = { commit: string; paths: string[]; without?: string[]; texts?: { path: string; text: string }[] }

export type AgentWork = {
  kind: 'work'
  prompt: string
  /** The prompt instead, for an agent that can continue the conversation of its session before. */
  continues?: string
  /**
   * True for the first session of an execution: check out `git.branch`. Later sessions find the workspace as the
   * previous one left it.
   */
  fresh: boolean
  commitMessage: string
  /** The ref for uncommitted work if the agent does not end well. */
  saveRef: string
  /**
   * For a subtask: `git.commit` is checked out, on no branch, and the agent's changes in the workspace become one
   * commit on this ref. The branch gets nothing. Unless it is fresh, the workspace stays as its agent left it.
   */
  leaves?: string
  /** Written into the workspace first, ignored by git, below `EXECUTION_FOLDER`. */
  files?: { path: string; text: string }[]
  agent: AgentOrder
  blockedGraceMs: number
}

/**
 * Clean checkout of `git.commit`, detached, and an agent that only looks. Its answer is in `review` events with this
 * `nonce`, so that no other program in the container can answer for it.
 */
export type ReviewWork = {
  kind: 'review'
  prompt: string
  nonce: string
  /** The form of its answer; default: a review. */
  form?: 'review' | 'plan'
  agent: AgentOrder
  blockedGraceMs: number
}

/**
 * The time that an agent may stay after it has said BLOCKED without further work: no tool call, no result of one, no
 * step, no answer of its model. Enough to finish its output and end by itself.
 */
export const BLOCKED_GRACE_MS = 30_000

/** The built-in agent. */
export type OpenAiOrder = {
  name: 'openai'
  model: string
  maxSteps: number
  toolTimeoutMs: number
  toolOutputLimit: number
  /** The size of its model's window, in tokens; absent: not known. */
  windowTokens?: number
  /** Tokens left of the narrowest limit when this order was made; absent: no limit. The gateway has the last word. */
  tokenBudget?: number
  /** Percent of its tokens, and of its model's window, at the first warning; absent: the default. */
  warnAtPercent?: number
  /** When those tokens are used up, its next call waits and a person is asked; absent: calls are refused. */
  onLimit?: 'ask'
  /** The agents that it can ask to work for it; absent: the built-in ones. */
  agents?: OrderedAgent[]
  /** Absent: no fresh starts after a failure. */
  freshStarts?: FreshStartsOrder
}

/** `windowTokens`: its own model's, if it has one. */
export type OrderedAgent = AgentDefinition & { windowTokens?: number }

export type AgentOrder =
  | OpenAiOrder
  /**
   * Any command line, run by `sh -c` in the workspace with the prompt on standard input. `files`: the commit with the
   * files that the command line may name.
   */
  | { name: 'command'; command: string; model: string; files?: string }
  /** An agent in the image, under `AGENTS_FOLDER`. Model null: the agent's own choice. */
  | { name: 'preset'; preset: PresetName; model: string | null; arguments: string[] }

export const LINK_PORT = 4610
/** The port of a sandbox's proxy, seen from inside. */
export const EGRESS_PORT = 4611
/** The variable of a session's environment that has the link's address. */
export const LINK_URL = 'BEADLOOM_LINK_URL'
/**
 * The variable with the number of a descriptor, in the environment of a process that was started ahead of its session:
 * it does nothing before it has read a byte from there. After that byte, up to the end, comes its `SessionOrder` as
 * JSON; if nothing comes, it asks the link.
 */
export const GATE = 'BEADLOOM_GATE'
/** The mount point of the link's folder, which has the socket. */
export const LINK_FOLDER = '/run/beadloom'
export const LINK_SOCKET = `${LINK_FOLDER}/link.sock`
/** The supervisor's folder for its sessions' state and output, on the container's own disk. */
export const SUPERVISOR_FOLDER = '/var/lib/beadloom'
export const WORKSPACE = '/workspace'
/** The image's copy of the workspace, which its containers copy to their own. */
export const ASIDE = `${SUPERVISOR_FOLDER}/workspace`
/** The folder in which an agent can read about the plan that it is part of. */
export const EXECUTION_FOLDER = '.beadloom/execution'
/** Exit codes of the agent process itself. With `success` and `failed`, the `result` line has the session's end. */
export const agentExit = { success: 0, failed: 1, noLink: 70, crashed: 71 } as const
