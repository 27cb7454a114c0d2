import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { buildImage, ownBase, removeImage } from '../support/service-images.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Projects whose tests need PostgreSQL and Redis, from `project add` to COMPLETED. The servers are Debian's, in an
 * image made on this machine. It starts like a registry's images: root makes the folder, then the server's own user
 * runs it.
 */

const IMAGE = 'beadloom-tests/databases:1'
const begin = [
  '#!/bin/sh',
  'set -e',
  'if [ "$1" = redis ]; then exec setpriv --reuid=redis --regid=redis --init-groups redis-server --save "" --protected-mode no; fi',
  'bin=$(ls -d /usr/lib/postgresql/*/bin)',
  'mkdir -p /srv/data && chown postgres:postgres /srv/data && chmod 700 /srv/data',
  'as="setpriv --reuid=postgres --regid=postgres --init-groups"',
  'echo "$POSTGRES_PASSWORD" > /tmp/password && chmod 644 /tmp/password',
  '$as $bin/initdb --pgdata=/srv/data --username=postgres --auth=scram-sha-256 --pwfile=/tmp/password',
  `exec $as $bin/postgres -D /srv/data -c listen_addresses='*'`,
]
const dockerfile = (base: string) => `FROM ${base}
USER root
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql redis-server && rm -rf /var/lib/apt/lists/*
RUN printf '%s\\n' ${begin.map((line) => `'${line.replaceAll("'", `'\\''`)}'`).join(' ')} > /begin.sh && chmod 755 /begin.sh
VOLUME /srv/data
ENTRYPOINT ["/begin.sh"]
CMD ["postgres"]
`

let world: World
beforeAll(async () => {
  world = await World.start({ config: { images: [IMAGE] } })
  buildImage(IMAGE, dockerfile(ownBase()))
}, 900_000)
afterAll(async () => {
  await world.stop()
  removeImage(IMAGE)
})

const psql = 'psql -v ON_ERROR_STOP=1 -h postgres -U postgres -tA'

test('a project whose tests need PostgreSQL and Redis is proved, worked on and verified', async () => {
  const services = {
    postgres: {
      image: IMAGE,
      env: { POSTGRES_PASSWORD: 'secret' },
      options: '--health-cmd "pg_isready -h 127.0.0.1 -U postgres" --health-interval 10s --health-retries 5',
      ports: ['5432:5432'],
    },
    redis: { image: IMAGE, command: 'redis', health: 'redis-cli ping' },
  }
  const test = `${psql} -f schema.sql && test "$(${psql} -c 'SELECT count(*) FROM book')" = 1 && redis-cli -h redis SET a b | grep OK`
  const files = {
    ...shellProject({
      agent: `${psql} -f schema.sql && ${psql} -c 'SELECT title FROM book' > answer.txt\nredis-cli -h redis PING >> answer.txt\n`,
      testsFirst: false,
      config: {
        image: IMAGE, // it has the clients, too
        services,
        verify: [{ type: 'test', command: `export PGPASSWORD=secret; ${test}` }],
        command: 'PGPASSWORD=secret sh agent.sh',
      },
    }),
    // This fails if the database is not fresh, because the table exists then.
    'schema.sql': "CREATE TABLE book (title text); INSERT INTO book VALUES ('Walden');\n",
  }
  const { remote } = await world.addProject('books', files, [{ id: 'db-1', title: 'Read a book' }])
  const ended = await world.run('books', 'db-1')
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', attempt: 1, flags: [] })
  expect(git(remote, 'show', 'beadloom/work:answer.txt')).toBe('Walden\nPONG')
  const logs = ended.sessions.filter(({ kind }) => kind === 'service')
  expect(logs.map(({ service }) => service)).toEqual(['postgres', 'redis', 'postgres', 'redis'])
  expect(await world.log(logs[0]!.id)).toContain('ready to accept connections')
  expect(await world.containers.of(ended.id)).toEqual([])
})
