import { isObject } from '@beadloom/core/text/json-object.ts'
import { pathIn } from '../redirect.ts'
import { yamlKeys } from './yaml-keys.ts'

/*
 * The settings that a stranger's `.beads` may have. `bd` has more with every release, so the harmless ones are named:
 * those of 1.0.5, 1.1.0 and 1.3.0, those that `bd init` and `bd config set` write, and those of 0.x that people still
 * have. Any other may lead `bd` elsewhere.
 */

export const TOO_MUCH = 'more than Beadloom reads'
const HERE = /^(?:|localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * Keys of `config.yaml` whose value does not matter, because nothing outside of `.beads` is read, written, run or asked.
 * A section with a star has names that people choose.
 */
const harmless = new Set(
  [
    'issue-prefix issue_prefix json actor identity node_id readonly no-db no-push events-export',
    'agents.file agent.profile audit.enabled create.require-description list.limit output.title-length',
    'prime.max-memories prime.max-memory-chars hierarchy.max-depth git.author git.no-gpg-sign metrics.disabled',
    'validation.* lint.* directory.* types.* status.* claim.* storage-class.*',
    'events-journal events-journal-retain-days events-journal-retain-rows events-journal-auto-prune',
    'dolt.auto-commit dolt.auto-push dolt.auto-push-interval dolt.auto-push-timeout dolt.auto-start dolt.port dolt.user',
    'dolt.max-conns dolt.pool-read-timeout dolt.pool-write-timeout dolt.local-only dolt.idle-timeout dolt.debug',
    // Remotes and services are asked only by commands that Beadloom does not use.
    'sync.remote sync.git-remote sync.mode sync.require_confirmation_on_mass_delete federation.remote',
    'federation.sovereignty federation.allowed-remote-patterns federation.exclude_types ai.model ai.api_key',
    'linear.* jira.* github.* gitlab.* ado.* notion.*',
    // Overruled for each call: run-bd.ts.
    'no-hooks no-git-ops routing.mode routing.default routing.maintainer routing.contributor contributor.auto_route',
    'contributor.planning_repo export.auto export.path export.interval export.git-add export.exclude_owner',
    'export.exclude_owners import.auto import.path backup.enabled backup.interval backup.git-push backup.git-repo',
    // Read only by bd before 1.0.
    'no-daemon no-auto-flush no-auto-import auto-start-daemon daemon.* flush-debounce lock-timeout',
    'remote-sync-interval sync-branch sync.branch sync.export_on sync.import_on conflict.strategy',
  ].flatMap((line) => line.split(' ')),
)
const isHarmless = (key: string): boolean => harmless.has(key) || harmless.has(`${key.split('.', 1)[0] ?? ''}.*`)

/** Keys of `config.yaml` and `metadata.json` that only some values make harmless, and the thing that others name. */
const checked: Readonly<Record<string, readonly [harmless: RegExp, names: string]>> = {
  'dolt.host': [HERE, 'the server'],
  'dolt.socket': [/^$/, 'the server'],
  'dolt.mode': [/^(?:embedded|server)$/i, 'the mode'],
  'dolt.shared-server': [/^false$/i, 'the server that projects share:'],
  'dolt.data-dir': [/^$/, 'the database'],
  db: [/^$/, 'the database'],
  'repos.primary': [/^\.$/, 'the repository'],
  dolt_server_host: [HERE, 'the server'],
  dolt_server_socket: [/^$/, 'the server'],
  dolt_mode: [/^(?:embedded|server)$/i, 'the mode'],
  dolt_data_dir: [/^$/, 'the database'],
  dolt_database: [/^[\w-]+$/, 'the database'],
  database: [/^(?!.*\.\.)[^/\\]/s, 'the database'],
  backend: [/^(?:dolt|sqlite)$/i, 'the storage'],
}
const inMetadata =
  /^(?:dolt_(?:server_(?:port|user|tls)|remotesapi_port|team_server)|(?:global_)?project_id|global_dolt_database|(?:deletions_retention|stale_closed_issues)_days|last_bd_version|jsonl_export|version)$/

/** Settings of `config.yaml` that may lead elsewhere. */
export function settingsIn(text: string): string[] {
  const keys = yamlKeys(text)
  if (keys === null) return [TOO_MUCH]
  return keys.flatMap(({ key, value }) => (value === '' || isHarmless(key) ? [] : namedBy(key, value)))
}

/** The same of `metadata.json`. Names are compared in any case, as Go's parser does. */
export function metadataIn(text: string): string[] {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return [] // bd does not read it either
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const key = name.toLowerCase()
    const isUnset = one === '' || one === null || one === false || one === 0
    return isUnset || inMetadata.test(key) ? [] : namedBy(key, typeof one === 'string' ? one : JSON.stringify(one))
  })
}

function namedBy(key: string, value: string): string[] {
  const [allowed, names] = (Object.hasOwn(checked, key) ? checked[key] : undefined) ?? []
  if (allowed === undefined) return [`the setting ${key}`]
  return allowed.test(value) ? [] : [`${names} ${value}`]
}

/** Other trackers in `routes.jsonl`, by the beginnings of their beads' ids. */
export function routesIn(text: string): string[] {
  return text.split(/\r?\n|\r/).flatMap((line) => {
    const own = line.trim()
    if (own === '' || own.startsWith('#')) return []
    let value: unknown
    try {
      value = JSON.parse(own)
    } catch {
      return [TOO_MUCH]
    }
    const paths = Object.entries(isObject(value) ? value : {}).filter(([key]) => key.toLowerCase() === 'path')
    return paths.flatMap(([, path]) => (path === '.' ? [] : [`the tracker ${String(path)}`]))
  })
}

/** The server behind `dolt_mode: proxied-server`; the file also names where its log is written. */
export const clientIn = (text: string): string[] => (text.trim() === '' ? [] : ['a server and its log'])

/** `bd` runs where a redirect has led, and would follow another one from there. */
export function redirectIn(text: string): string[] {
  const path = pathIn(text)
  return path === null ? [] : [`the folder ${path}`]
}
