import { forgeKinds, type ForgeKind } from '../ports/forge.ts'

export type KindOfForge = {
  /** The name that people know. */
  name: string
  /** Its word for a pull request. */
  pull: string
  /** The API's address, given the address of the web pages. */
  api: (web: string) => string
  /** The permissions that a token needs, as part of a sentence. */
  permission: string
  /** A repository's path has exactly two parts; otherwise two or more. */
  twoParts: boolean
  /** Path of one pull request, below the repository's page. */
  page: (number: number) => string
  /** Path of the form for a new pull request, below the repository's page. */
  compare: (base: string, head: string) => string
}

/** A branch's name within a path. Its slashes stay. */
const inPath = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/')

export const kindsOfForges: Readonly<Record<ForgeKind, KindOfForge>> = {
  github: {
    name: 'GitHub',
    pull: 'pull request',
    api: gitHubApi,
    permission:
      'fine-grained with "Pull requests: Read and write" and "Contents: Read" for this repository, or classic with the scope "repo"',
    twoParts: true,
    page: (number) => `/pull/${number}`,
    compare: (base, head) => `/compare/${inPath(base)}...${inPath(head)}?expand=1`,
  },
  gitlab: {
    name: 'GitLab',
    pull: 'merge request',
    api: (web) => `${web}/api/v4`,
    permission: 'with the scope "api", of somebody who is at least Developer in this project',
    twoParts: false,
    page: (number) => `/-/merge_requests/${number}`,
    compare: (base, head) => {
      const query = new URLSearchParams({
        'merge_request[source_branch]': head,
        'merge_request[target_branch]': base,
      })
      return `/-/merge_requests/new?${query}`
    },
  },
  gitea: {
    name: 'Gitea',
    pull: 'pull request',
    api: (web) => `${web}/api/v1`,
    permission:
      'with "repository: Read and Write", which is the scope write:repository, of somebody who may write to this repository',
    twoParts: true,
    page: (number) => `/pulls/${number}`,
    compare: (base, head) => `/compare/${inPath(base)}...${inPath(head)}`,
  },
}

/** github.com and Enterprise Cloud (NAME.ghe.com) have a separate host for the API, Enterprise Server has a path. */
function gitHubApi(web: string): string {
  const url = new URL(web)
  const ownHost = url.hostname === 'github.com' || url.hostname.endsWith('.ghe.com')
  return ownHost ? `https://api.${url.hostname}` : `${web}/api/v3`
}

/** The kinds as the end of a sentence: "github, gitlab or gitea". */
export const anyKind = (written: (kind: ForgeKind) => string): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(forgeKinds.map(written))

export type KnownForge = { kind: ForgeKind; variables: readonly string[] }

/** Forges that need no configuration, and the environment variables with tokens for them alone. */
export const knownForges: ReadonlyMap<string, KnownForge> = new Map<string, KnownForge>([
  ['github.com', { kind: 'github', variables: ['GITHUB_TOKEN', 'GH_TOKEN'] }],
  ['gitlab.com', { kind: 'gitlab', variables: ['GITLAB_TOKEN'] }],
  ['codeberg.org', { kind: 'gitea', variables: ['GITEA_TOKEN'] }],
])

/** Other host names of these forges, such as those for ssh over port 443. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['www.github.com', 'github.com'],
  ['ssh.github.com', 'github.com'],
  ['www.gitlab.com', 'gitlab.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
])

/** The likely kind of forge, by a host's name alone (git.gitlab.example.org); null if the name does not tell. */
export function kindByName(host: string): ForgeKind | null {
  const known = knownForges.get(host)?.kind
  if (known) return known
  const name = host.replace(/:\d+$/, '').split('.')
  const has = (...words: string[]) => name.some((label) => words.includes(label))
  if (host.endsWith('.ghe.com') || has('github')) return 'github'
  if (has('gitlab')) return 'gitlab'
  return has('gitea', 'forgejo') ? 'gitea' : null
}
