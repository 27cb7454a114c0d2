import { execFileSync } from 'node:child_process'

const name = 'beadloom-test/tiny:1'
/** The programs of this machine that the image has, with the libraries that they need. */
const programs = ['/bin/sh', '/bin/cat', '/usr/bin/sha256sum', '/usr/bin/sleep']

/** An image with a shell, a few kilobytes away from nothing, in the engine that `docker ARGS` reaches; its name. */
export function tinyImage(args: readonly string[]): string {
  const libraries = programs.flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/\/\S+/g)].map(([path]) => path),
  )
  const files = [...new Set([...programs, ...libraries])].join(' ')
  const script = `tar --create --dereference --absolute-names ${files} | docker "$@" import - ${name}`
  execFileSync('sh', ['-c', script, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  return name
}
