import { devNull } from 'node:os'

/** The empty tree's id, which git knows in every repository. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * The command-line configuration of every git process of the server. It wins over every file, so a repository's own
 * configuration can start no program, turn off no check and redirect no transfer.
 */
export const hardening: readonly string[] = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  `core.attributesFile=${devNull}`,
  // Some versions of git read the attributes of HEAD in a bare repository: its authors could call a file of tests
  // binary and so hide its changes.
  `attr.tree=${EMPTY_TREE}`,
  // An empty value would run the alternate's path itself as a command; `true` prints nothing, so there are none.
  'core.alternateRefsCommand=true',
  'core.symlinks=false',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.pager=cat',
  'core.gitProxy=',
  'protocol.ext.allow=never',
  // An answer could lead to another host, which would get the password (../remote/redirect.ts).
  'http.followRedirects=false',
  'transfer.bundleURI=false',
  'transfer.fsckObjects=true',
  'fetch.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'push.gpgSign=false',
  'push.followTags=false',
  'log.showSignature=false',
  'gpg.program=false',
  'diff.renames=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  // A crash must not lose a commit that was reported to somebody: objects and refs reach the disk.
  'core.fsync=committed,reference',
  // Bounds for memory: files above 16 MiB are streamed, and packing keeps a small window.
  'core.bigFileThreshold=16m',
  'pack.windowMemory=64m',
  'pack.threads=2',
]

/**
 * Harmless faults that old, honest histories have. Everything else that fsck knows stays an error: `.git` and `..` in
 * trees, crafted `.gitmodules`, and their like.
 */
const oldWarts = [
  'zeroPaddedFilemode',
  'badTimezone',
  'zeroPaddedDate',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingNameBeforeEmail',
  'badEmail',
  'badName',
  'multipleAuthors',
]

export const tolerantFsck = (scope: 'fetch' | 'receive'): string[] =>
  oldWarts.map((wart) => `${scope}.fsck.${wart}=ignore`)

/** The person's credentials for a remote that git uses, and the little that such helpers need to work. */
const fromThePerson = [
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'SSH_AUTH_SOCK',
  'GIT_CONFIG_GLOBAL',
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GH_CONFIG_DIR',
]

/** A machine's proxies, the same for every call. */
const ways = [
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]

type Environment = Record<string, string>

/** Never inherited: built from nothing. It allows no transport and reads no user's configuration. */
export function closedEnvironment(home: string, searchPath: string): Environment {
  return {
    PATH: searchPath,
    HOME: home,
    LANG: 'C',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '', // empty means nobody is asked; unset would look for SSH_ASKPASS and the configuration
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
  }
}

/**
 * The additions for a transfer to a URL: the person's own git configuration (their credential helper, proxy,
 * certificates) and ssh agent. The person put them there for git to use; still, nobody is prompted and no hook runs.
 */
export function personsEnvironment(person: Readonly<Record<string, string | undefined>>): Environment {
  const wanted: Environment = { GIT_CONFIG_NOSYSTEM: '0' }
  const { GIT_CONFIG_GLOBAL: own } = person
  Object.assign(wanted, chosen(person, fromThePerson), waysOut(person))
  return own === undefined ? { ...wanted, GIT_CONFIG_GLOBAL: UNSET } : wanted
}

/** The person's proxies alone, for a transfer to a URL. */
export const waysOut = (person: Readonly<Record<string, string | undefined>>): Environment => chosen(person, ways)

const chosen = (person: Readonly<Record<string, string | undefined>>, names: readonly string[]): Environment =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = person[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Marks a variable that must not be set at all: for git, an empty GIT_CONFIG_GLOBAL is not the same as none. */
export const UNSET = '\0unset'
