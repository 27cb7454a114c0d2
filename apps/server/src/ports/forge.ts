/** The places of pull requests: GitHub, GitLab and Gitea (Forgejo too), by their HTTP APIs. */
export interface Forges {
  /**
   * The forge and the repository of a remote; null: not a known forge (a folder, an unknown host). Uses no network.
   * Throws ForgeError `no-token` when the token file cannot be used.
   */
  repositoryOf(source: string): Promise<ForgeRepository | null>
  /** The page where a person can open the pull request by hand. */
  compareUrl(repository: ForgeRepository, base: string, head: string): string
  /**
   * The open pull request from `head` into `base`, or a new one. Never opens a second one: an open one is found first
   * and its text updated, and simultaneous calls take turns. Failures are `ForgeError`s; an aborted signal throws its
   * own reason. Calls are bounded in time and size.
   */
  open(repository: ForgeRepository, request: NewPullRequest, signal?: AbortSignal): Promise<OpenedPullRequest>
}

export const forgeKinds = ['github', 'gitlab', 'gitea'] as const
export type ForgeKind = (typeof forgeKinds)[number]

/** `path` is `owner/name` (GitLab: with its groups). `hasToken`: the server has a token for this host. */
export type ForgeRepository = { kind: ForgeKind; host: string; path: string; hasToken: boolean }

/** Branch names without `refs/heads/`; the remote already has both. `body` is Markdown. */
export type NewPullRequest = { head: string; base: string; title: string; body: string }

/** `existed`: it was open before. */
export type OpenedPullRequest = { url: string; number: number; existed: boolean }

/**
 * - `no-token`: there is no token for this host.
 * - `unauthorized` (401), `forbidden` (403), `not-found` (404), `refused` (422 and the like): a person has to act.
 * - `unavailable` (5xx, no answer, a temporary limit): may work later; `retryAt` in ms UTC if the forge says when.
 * - `bad-answer`: what answered is not a forge.
 */
export type ForgeErrorKind =
  | 'no-token'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'refused'
  | 'unavailable'
  | 'bad-answer'

/** `message` says what to do, and never holds a token. */
export class ForgeError extends Error {
  override name = 'ForgeError'
  readonly kind: ForgeErrorKind
  readonly retryAt: number | null
  constructor(kind: ForgeErrorKind, message: string, options?: ErrorOptions & { retryAt?: number | null }) {
    super(message, options)
    this.kind = kind
    this.retryAt = options?.retryAt ?? null
  }
}
