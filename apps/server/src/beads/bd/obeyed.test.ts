import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { createTracker } from '../find-tracker.ts'
import { hooksIn, leadsElsewhere } from './obeyed.ts'
import { runBd } from './run-bd.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-obeyed-'))
  mkdirSync(join(folder, '.beads', 'hooks'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, text: string, mode = 0o644): void => {
  writeFileSync(join(folder, '.beads', name), text)
  chmodSync(join(folder, '.beads', name), mode)
}

describe("a clone's own settings for bd", () => {
  test.each([
    ['.env', 'GIT_CONFIG_COUNT=1\n', '.beads/.env sets GIT_CONFIG_COUNT'],
    ['.env', '# mine\nexport BEADS_DIR: /else\n', '.beads/.env sets BEADS_DIR'],
    ['.env', 'x'.repeat(200_000), '.beads/.env sets more than Beadloom reads'],
    ['metadata.json', '{"dolt_mode":"server","dolt_server_host":"evil.example"}', 'names the server evil.example'],
    ['metadata.json', '{"dolt_server_socket":"/run/other.sock"}', 'names the server /run/other.sock'],
    ['config.yaml', 'dolt.host: "evil.example" # ours\n', 'names the server evil.example'],
    ['config.yaml', 'dolt:\n  socket: /run/other.sock\n', 'names the server /run/other.sock'],
    ['metadata.json', '{"Dolt_Server_Host":"evil.example"}', 'names the server evil.example'],
    ['config.yaml', 'json: true\r\ndolt.host: evil.example\r\n', 'names the server evil.example'],
    ['config.yaml', '\uFEFFDolt.Host: evil.example\n', 'names the server evil.example'],
    ['config.yaml', 'json: true\u2028dolt.host: evil.example\n', 'names the server evil.example'],
    ['config.yaml', 'dolt: { port: 1, "host" : evil.example }\n', 'names more than Beadloom reads'],
    ['config.yaml', '{"dolt.host":"evil.example"}', 'names more than Beadloom reads'],
    ['metadata.json', '{"Dolt_Server_HOST":"evil.example"}', 'names the server evil.example'],
    ['metadata.json', '{"dolt_data_dir":"../../other/.beads/dolt"}', 'names the database ../../other/.beads/dolt'],
    ['metadata.json', '{"database":"/home/ada/other"}', 'names the database /home/ada/other'],
    ['config.json', '{"dolt_server_host":"evil.example"}', '.beads/config.json names the server evil.example'],
    ['config.local.yaml', 'dolt.host: evil.example\n', '.beads/config.local.yaml names the server evil.example'],
    ['config.local.yaml', 'backend_plugins:\n  odd:\n    command: ./run\n', 'setting backend_plugins.odd.command'],
    ['config.local.yaml', 'backend_plugins.odd.command: ./run\n', 'setting backend_plugins.odd.command'],
    ['config.yaml', 'dolt: {port: 1, host: evil.example}\n', 'names more than Beadloom reads'],
    ['config.yaml', '"dolt":\n  host: localhost\n  "socket" : /run/other.sock\n', 'names the server /run/other.sock'],
    ['config.yaml', '{"dolt": {"host":"evil.example"}}\n', 'names more than Beadloom reads'],
    ['config.yaml', 'DOLT:\n  Host: evil.example\n', 'names the server evil.example'],
    ['config.yaml', 'dolt:\n  host:\n    evil.example\n', 'names more than Beadloom reads'],
    ['config.yaml', 'db: /home/ada/other/.beads/dolt\n', 'names the database /home/ada/other/.beads/dolt'],
    ['config.yaml', 'dolt:\n  "h\\x6fst": evil.example\n', 'names more than Beadloom reads'],
    ['config.yaml', 'a: &a host\ndolt:\n  *a : evil.example\n', 'names more than Beadloom reads'],
    ['config.yaml', 'a: &a host\ndolt: {port: 1, *a : evil.example}\n', 'names more than Beadloom reads'],
    ['config.yaml', 'dolt:\n\thost: evil.example\n', 'names more than Beadloom reads'],
    ['config.yaml', 'json: |\n  some text\ndolt.host: evil.example\n', 'names more than Beadloom reads'],
    ['config.yaml', 'validation:\n  on-close: warn\ndolt:\n  host: evil.example\n', 'names the server evil.example'],
    ['config.yaml', 'dolt.shared-server: true\n', 'names the server that projects share: true'],
    ['config.yaml', 'external_projects:\n  other: ~/other\n', 'names the setting external_projects.other'],
    ['config.yaml', 'repos:\n  primary: "."\n  additional:\n  - ~/other\n', 'names the setting repos.additional'],
    ['config.yaml', 'repos:\n  additional:\n    - ~/other\n', 'names the setting repos.additional'],
    ['config.yaml', 'metrics.endpoint: https://evil.example\n', 'names the setting metrics.endpoint'],
    ['config.yaml', 'unheard-of: yes\n', 'names the setting unheard-of'],
    ['config.yaml', 'constructor: yes\n', 'names the setting constructor'],
    ['metadata.json', '{"dolt_mode":"proxied-server"}', '.beads/metadata.json names the mode proxied-server'],
    ['metadata.json', '{"Dolt_Mode":"Proxied-Server"}', '.beads/metadata.json names the mode Proxied-Server'],
    // Go takes the long s for an s.
    ['metadata.json', '{"dolt_\u017ferver_host":"evil.example"}', 'names the setting dolt_?erver_host'],
    ['metadata.json', '{"dolt_database":"../../other"}', 'names the database ../../other'],
    ['metadata.json', '{"backend":"odd"}', 'names the storage odd'],
    ['proxied_server_client_info.json', '{"log_path":"/home/ada/.profile"}', 'names a server and its log'],
    ['routes.jsonl', '# ours\n\n{"prefix":"o-","path":"../other"}\n', 'routes.jsonl names the tracker ../other'],
    ['routes.jsonl', '{"prefix":"o-","Path":"../other","path":"."}\n', 'routes.jsonl names the tracker ../other'],
    ['routes.jsonl', '{"prefix":"o-"\n', 'routes.jsonl names more than Beadloom reads'],
    ['config.yaml', 'dolt:\n  ? host\n  : evil.example\n', 'names more than Beadloom reads'],
  ])('are seen in %s: %s', async (name, text, what) => {
    put(name, text)
    expect((await leadsElsewhere(join(folder, '.beads'))).join()).toContain(what)
  })

  test("are not seen in bd's own files, nor in the credentials of a person", async () => {
    put('.env', '# for my server\nBEADS_DOLT_PASSWORD=secret\nexport BEADS_DOLT_SERVER_USER=ada\n\n')
    put('metadata.json', '{"database":"dolt","backend":"dolt","dolt_mode":"server","dolt_server_host":"127.0.0.1"}')
    put(
      'config.yaml',
      '# dolt.host: db.example\nissue-prefix: "p"\ndb: ""\nsync.remote: "git+ssh://git@example.org/a"\ndolt:\n  host: 127.0.0.1\n',
    )
    put('routes.jsonl', '# ours\n{"prefix":"p-","path":"."}\n')
    expect(await leadsElsewhere(join(folder, '.beads'))).toEqual([])
  })

  test('are not seen in a tracker that has many harmless or overruled ones', async () => {
    put(
      'config.yaml',
      [
        '---',
        'issue-prefix: p # ours',
        'no-git-ops: true',
        "actor: 'Ada L.'",
        'routing: # for contributors',
        '  mode: auto',
        '  contributor: ~/.beads-planning',
        'export:',
        '    auto: true',
        '    path: beads.jsonl',
        'backup.enabled: true',
        'directory:',
        '  labels:',
        '    packages/web: web',
        'federation:',
        '  exclude_types: [wisp, "gate"]',
        '  allowed-remote-patterns:',
        '  - git@example.org/*',
        'validation:',
        '  on-create: warn',
        '',
        'types.custom: "incident,spike"',
        'dolt.shared-server: false',
        'linear.api_key: key',
        'list.limit: -1',
        'db: ~',
      ]
        .map((line) => `${line}\n`)
        .join(''),
    )
    put(
      'metadata.json',
      '{"database":"beads.db","jsonl_export":"issues.jsonl","dolt_server_port":3307,"project_id":"a"}',
    )
    expect(await leadsElsewhere(join(folder, '.beads'))).toEqual([])
  })

  test('are none in an empty clone', async () => {
    expect([await leadsElsewhere(join(folder, '.beads')), await hooksIn(join(folder, 'gone'))]).toEqual([[], []])
  })

  test('include its hooks that could run, even by a link, and not those of git', async () => {
    put('hooks/on_update', '#!/bin/sh\n', 0o755)
    put('hooks/on_create', '#!/bin/sh\n')
    put('hooks/pre-commit', '#!/bin/sh\n', 0o755)
    symlinkSync('on_update', join(folder, '.beads', 'hooks', 'on_close'))
    expect(await hooksIn(join(folder, '.beads'))).toEqual(['on_close', 'on_update'])
  })
})

describe('a working tree with a database of bd', () => {
  /** Claims to be bd 1.0.5, and prints its environment. */
  const program = '#!/bin/sh\ncase $1 in version) echo \'{"version":"1.0.5"}\' ;; *) env ;; esac\n'
  const find = (trusted: string[]) => {
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    writeFileSync(join(programs, 'bd'), program, { mode: 0o755 })
    mkdirSync(join(folder, '.beads', 'embeddeddolt'))
    put('.local_version', '1.0.5\n')
    const env = { PATH: `${programs}:/usr/bin:/bin` }
    return createTracker({ clock: systemClock, env, own: folder, trusted }).find(folder)
  }

  test('whose files would lead bd elsewhere is only read, and says why and what to do', async () => {
    put('.env', 'GIT_CONFIG_COUNT=1\n')
    const { info } = await find([])
    expect(info).toMatchObject({ kind: 'read-only', writable: false })
    expect(info.text).toContain('bd is not run here, because .beads/.env sets GIT_CONFIG_COUNT')
    expect(info.text).toContain(`add ${JSON.stringify(folder)} to "trustedTrackers" in config.json`)
  })

  test('that a person trusts is kept by bd, whatever is in it', async () => {
    put('.env', 'GIT_CONFIG_COUNT=1\n')
    put('hooks/on_update', '#!/bin/sh\n', 0o755)
    expect((await find([folder])).info).toMatchObject({
      kind: 'bd',
      writable: true,
      text: expect.stringMatching(/^bd 1\.0\.5, through its/),
    })
  })

  test('says which of its hooks are not run', async () => {
    put('hooks/on_update', '#!/bin/sh\n', 0o755)
    expect((await find([])).info).toMatchObject({ kind: 'bd', text: expect.stringMatching(/ without on_update of /) })
  })

  test('gets no hooks, no pushes and no secrets from us', async () => {
    await find([])
    const env = {
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: '/home/ada',
      GITHUB_TOKEN: 'a',
      GH_PAT: 'b',
      AWS_SECRET_ACCESS_KEY: 'c',
      GITLAB_PRIVATE_KEY: 'd',
      BD_NO_HOOKS: 'false',
      BD_ROUTING_DEFAULT: '../other',
      PGPASSWORD: 'e',
      GROQ_KEY: 'f',
      SMTP_PASS: 'g',
      MY_FORGE: 'h',
    }
    const call = { args: ['list'], limitBytes: 10_000 }
    const secrets = () => ['MY_FORGE']
    const untrusted = await runBd({ program: 'bd', folder, clock: systemClock, env, secrets, trusted: false }, call)
    expect(untrusted.stdout).toMatch(/^BD_NO_HOOKS=true$/m)
    expect(untrusted.stdout).toMatch(/^BD_DOLT_AUTO_PUSH=false$/m)
    expect(untrusted.stdout).toMatch(/^BD_BACKUP_ENABLED=false$/m)
    expect(untrusted.stdout).toMatch(/^BD_EXPORT_GIT_ADD=false$/m)
    // A path in `.beads/config.yaml` could lead to any file of the person.
    expect(untrusted.stdout).toMatch(/^BD_EXPORT_PATH=issues\.jsonl$/m)
    expect(untrusted.stdout).toMatch(/^HOME=\/home\/ada$/m)
    expect(untrusted.stdout).not.toMatch(/TOKEN|PAT=b|SECRET|_KEY|PASS|MY_FORGE/)
    expect(untrusted.stdout).toMatch(/^BD_ROUTING_DEFAULT=\.$/m)
    const trusted = await runBd({ program: 'bd', folder, clock: systemClock, env, trusted: true }, call)
    expect(trusted.stdout).not.toMatch(/NO_HOOKS|AUTO_PUSH|EXPORT_PATH|BACKUP|GIT/)
  })
})
