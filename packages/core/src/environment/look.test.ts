import { describe, expect, test } from 'vitest'
import { look } from './look.ts'
import { proposalFor } from '../project/proposal.ts'
import { servicesFrom } from './service-settings.ts'
import { commandLines, filesOf } from '../testing/sample-repository.ts'

const found = (files: Record<string, string>) => look(filesOf(files))

describe('commands', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'are scripts of a package, with their lines',
      { 'package.json': '{\n"scripts": {\n "build": "tsc",\n "test": "vitest"\n}}', 'package-lock.json': '{}' },
      [
        'setup: npm ci (usual, package-lock.json)',
        'build: npm run build (said, package.json:3)',
        'test: npm test (said, package.json:4)',
      ],
    ],
    [
      'are targets of a Makefile, and no assignments or recipes',
      { Makefile: 'TEST := 1\nlint = x\nall: build\n\ncheck test: all\n\tbuild: no\n' },
      ['test: make -k test (said, Makefile:5)'],
    ],
    ['are not made up for a Makefile without tests', { Makefile: 'all:\n\tcc x.c\n' }, []],
    [
      'may be in what a Makefile includes',
      { Makefile: 'include mk/test.mk\n' },
      ['test: make -k test (usual, Makefile)'],
    ],
    [
      'may be in the folders that a Makefile hands all targets on to',
      { Makefile: 'default: all\n\n.DEFAULT:\n\tcd src && $(MAKE) $@\n', 'src/Makefile': 'test:\n\t./runtest\n' },
      ['test: make -k test (usual, Makefile:3)'],
    ],
    [
      'may be there, too, if a loop does that',
      { Makefile: '.DEFAULT:\n\tfor dir in $(SUBDIRS); do $(MAKE) -C $$dir $@; done\n' },
      ['test: make -k test (usual, Makefile:1)'],
    ],
    [
      'are not made up for a Makefile that starts nothing for an unknown target',
      { Makefile: 'all:\n\tcc x.c\n.DEFAULT:\n\t@echo "no target $@"\n' },
      [],
    ],
    [
      'are recipes of a justfile',
      { justfile: 'x := "1"\ntest:\n  cargo test\nlint arg:\n' },
      ['test: just test (said, justfile:2)'],
    ],
    [
      'of Python are said by its configuration',
      {
        'pyproject.toml': '[tool.ruff]\nline-length = 100\n[tool.pytest.ini_options]\naddopts = "-q"\n',
        'test_x.py': '',
      },
      [
        "setup: python3 -m venv .venv && echo '*' > .venv/.gitignore && . .venv/bin/activate && pip install pytest (usual, pyproject.toml)",
        'test: . .venv/bin/activate && python -m pytest --continue-on-collection-errors --verbosity=1 (said, pyproject.toml:3)',
        'lint: .venv/bin/ruff check . (hint, pyproject.toml:1)',
      ],
    ],
    [
      'of Ruby are those of its test framework',
      { Gemfile: 'gem "rspec"\n', '.rubocop.yml': '' },
      [
        'setup: { bundle install --local || bundle install; } (usual, Gemfile)',
        'test: bundle exec rspec --format documentation (usual, Gemfile)',
        'lint: bundle exec rubocop (said, .rubocop.yml)',
      ],
    ],
    [
      'of PHP are its scripts, or PHPUnit',
      { 'composer.json': '{"scripts":{"lint":"phpcs"}}', 'phpunit.xml.dist': '' },
      [
        'setup: composer install --no-interaction (usual, composer.json)',
        'test: vendor/bin/phpunit --log-junit php://stdout (usual, phpunit.xml.dist)',
        'lint: composer run-script lint (said, composer.json:1)',
      ],
    ],
  ])('%s', (_, files, commands) => {
    expect(commandLines(found(files))).toEqual(commands)
  })

  test('of a CI are hints: only lines that set up, build, test or lint, each once', () => {
    const ci = `jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: |
          echo hello
          npm run test:unit
          npm test -- --shard=\${{ matrix.shard }}
          pytest -q \\
            --cov
      - run: npm ci
      - run: npm test
        working-directory: web
  deploy:
    steps: [{ run: ./deploy.sh }, { run: curl https://example.com | sh }]
`
    expect(commandLines(found({ '.github/workflows/ci.yml': ci }))).toEqual([
      'setup: npm ci (hint, .github/workflows/ci.yml:5)',
      'test: npm run test:unit (hint, .github/workflows/ci.yml:8)',
    ])
  })

  test('that set up GitHub’s agent come before those of other workflows', () => {
    const job = (run: string) => `jobs:\n  a:\n    steps:\n      - run: ${run}\n`
    const files = {
      '.github/workflows/ci.yml': job('pip install x'),
      '.github/workflows/copilot-setup-steps.yml': job('uv sync'),
    }
    expect(found(files).commands.map(({ command }) => command)).toEqual(['uv sync', 'pip install x'])
  })
})

describe('services', () => {
  const postgres = `    services:
      postgres:
        image: postgres:16
        env:
          POSTGRES_PASSWORD: secret
          TOKEN: \${{ secrets.TOKEN }}
        options: >-
          --health-cmd "pg_isready -U postgres" --health-interval 10s
`
  const ci = `jobs:\n  test:\n${postgres}    steps: []\n`
  const compose = `services:
  app: { build: . }
  postgres:
    image: postgres:12
    privileged: true
    environment: ["POSTGRES_PASSWORD=x", "FROM_HOST"]
    healthcheck: { test: ["CMD", "pg_isready", "-U", "postgres"] }
  redis: { image: "redis:7" }
`

  test('of a CI are needed by the tests; those of a compose file are hints', () => {
    const { services, refused } = found({ '.github/workflows/ci.yml': ci, 'compose.yaml': compose })
    expect(services).toEqual([
      {
        name: 'postgres',
        image: 'postgres:16',
        env: { POSTGRES_PASSWORD: 'secret' },
        health: 'pg_isready -U postgres',
        from: { file: '.github/workflows/ci.yml', line: 5 },
        confidence: 'usual',
      },
      {
        name: 'redis',
        image: 'redis:7',
        env: {},
        health: null,
        from: { file: 'compose.yaml', line: 8 },
        confidence: 'hint',
      },
    ])
    expect(refused).toMatchObject([{ what: 'services.postgres.privileged', from: { file: 'compose.yaml', line: 5 } }])
  })

  test('have no folders: those that a compose file asks for are named', () => {
    const volumes =
      'services:\n  db:\n    image: postgres:16\n    volumes:\n      - ./init.sql:/docker-entrypoint-initdb.d/init.sql\n      - data:/var/lib/postgresql\n'
    const { services, refused } = found({ 'compose.yaml': `${volumes}  cache: { image: redis, volumes: [] }\n` })
    expect(services.map(({ name }) => name)).toEqual(['db', 'cache'])
    expect(refused).toEqual([
      {
        what: 'services.db.volumes',
        why: expect.stringMatching(/^A service starts empty each time/),
        from: { file: 'compose.yaml', line: 5 },
      },
    ])
  })

  test('of a devcontainer are those of its compose file, without the workspace itself', () => {
    const files = {
      '.devcontainer/devcontainer.json': '{"dockerComposeFile": "stack.yml", "service": "redis"}',
      '.devcontainer/stack.yml': compose,
      'compose.yaml': 'services: { other: { image: x } }',
    }
    expect(found(files).services).toMatchObject([
      { name: 'postgres', env: { POSTGRES_PASSWORD: 'x' }, health: 'pg_isready -U postgres', confidence: 'said' },
    ])
  })

  test("have compose's values if nobody has set a variable", () => {
    const values = 'A: "${A:-a}", B: "${B}", C: "${C-c}:${D:-}", E: "$$E", F: "$F", G: "$${G:-g}"'
    const db = `{ image: "postgres:\${VERSION:-16}-\${KIND-alpine}", environment: { ${values} } }`
    const { services } = found({ 'compose.yaml': `services:\n  db: ${db}\n  web: { image: "web:\${TAG}" }\n` })
    expect(services.map(({ name, image, env }) => [name, image, env])).toEqual([
      ['db', 'postgres:16-alpine', { A: 'a', C: 'c:', E: '$E', G: '${G:-g}' }],
    ])
  })

  test('have the command and the health check that compose would run', () => {
    const text = `services:
  db:
    image: postgres:17
    command: postgres -c "max_connections=\${MOST:-20}"
    healthcheck: { test: [CMD-SHELL, "pg_isready -U $\${POSTGRES_USER:-postgres}"] }
  store: { image: "minio:1", command: [server, /data] }
  cache: { image: "redis:8", command: "redis-server --requirepass \${SECRET}" }
`
    const all = found({ 'compose.yaml': text })
    const { services, notes } = all
    expect(services.map(({ name, command, health }) => [name, command, health])).toEqual([
      ['db', ['postgres', '-c', 'max_connections=20'], 'pg_isready -U ${POSTGRES_USER:-postgres}'],
      ['store', ['server', '/data'], null],
      ['cache', undefined, null],
    ])
    expect(notes.map(({ text: said }) => said)).toEqual([
      expect.stringMatching(/^The service cache runs its image's own command: /),
    ])
    expect(proposalFor(all).config.services).toMatchObject({
      store: { image: 'minio:1', command: ['server', '/data'] },
    })
    expect(servicesFrom(services).map(({ command }) => command)).toContainEqual(['server', '/data'])
  })

  test('that are not started are named with the reason, and so are omitted parts of others', () => {
    const text = `x-common: &common { image: "postgres:17", environment: { POSTGRES_PASSWORD: x } }
services:
  base: { <<: *common, env_file: .env, entrypoint: [/own.sh] }
  more: { extends: { service: base } }
  debug: { image: "adminer:5", profiles: [debug] }
  my.db: { image: "redis:8" }
  web: { image: "web:\${TAG}" }
  migrate: { image: "flyway:11", depends_on: { base: { condition: service_healthy } } }
  app: { build: ., depends_on: { migrate: { condition: service_completed_successfully } } }
`
    const { services, notes } = found({ 'compose.yaml': text })
    expect(services).toMatchObject([{ name: 'base', image: 'postgres:17', env: { POSTGRES_PASSWORD: 'x' } }])
    expect(notes.map(({ text: said, from }) => `${from.line} ${said.slice(0, 70)}`)).toEqual([
      '3 The service base has no variables of its "env_file", which is often in',
      '3 The service base has its image\'s own entrypoint. Say under "command" w',
      '4 The service more is left out: "extends" is not followed, and there is ',
      '5 The service debug is left out: compose starts it only where its profil',
      '6 The service my.db is left out: its name cannot be that of a host here,',
      '7 The service web is left out: its image, web:${TAG}, has a variable wit',
      '8 The service migrate is left out: it ends before the others begin, and ',
    ])
  })

  test('beyond a few are left out, which is said', () => {
    const many = Array.from({ length: 20 }, (_, n) => `  s${n}: { image: "redis:7" }`).join('\n')
    const { services, notes } = found({ 'compose.yaml': `services:\n${many}\n` })
    expect(services).toHaveLength(8)
    expect(notes.map(({ text }) => text).join()).toContain('more than 8 services')
  })
})

describe('a monorepo', () => {
  const files = {
    'package.json': '{"scripts":{"test":"x"}}',
    'apps/web/package.json': '{"scripts":{"test":"x"}}',
    'services/api/go.mod': 'module api\n',
    'services/api/vendor/x/go.mod': 'module x\n',
    'apps/web/node_modules/y/package.json': '{}',
    'test/fixtures/z/package.json': '{}',
  }

  test('has projects in folders, with commands of their own, and nothing foreign', () => {
    const { nested, commands, techStack } = found(files)
    expect(nested).toMatchObject([
      { folder: 'apps/web', techStack: ['JavaScript', 'Node.js'] },
      { folder: 'services/api', techStack: ['Go'] },
    ])
    expect(commands.map(({ folder, command }) => [folder, command])).toEqual([
      ['', 'npm test'],
      ['apps/web', 'npm test'],
      ['services/api', 'go mod download && { go test -exec true ./... || true; }'],
      ['services/api', 'go test -v ./...'],
    ])
    expect(techStack).toEqual(['JavaScript', 'Node.js'])
  })

  test('with thousands of packages is read up to forty, and says so', () => {
    const packages = Array.from({ length: 5000 }, (_, n) => [`packages/p${n}/package.json`, '{}'] as const)
    const { nested, notes } = found(Object.fromEntries(packages))
    expect(nested).toHaveLength(40)
    expect(notes).toEqual([{ text: expect.stringContaining('4960 more folders'), from: { file: '', line: null } }])
  })
})
