import { execFileSync } from 'node:child_process'

/** The programs of this machine that the image has, with the libraries that they need. */
const programs = ['/bin/sh', '/bin/cat', '/usr/bin/sha256sum', '/usr/bin/sleep']

/**
 * An image with a shell, a few kilobytes away from nothing, in the engine that `docker ARGS` reaches; its name.
 *
 * @param tag one for each test file: an image whose name another one takes is gone when that name is removed
 */
export function tinyImage(args: readonly string[], tag: string): string {
  const name = `beadloom-test/tiny:${tag}`
  const libraries = programs.flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/\/\S+/g)].map(([path]) => path),
  )
  const files = [...new Set([...programs, ...libraries])].join(' ')
  const script = `tar --create --dereference --absolute-names ${files} | docker "$@" import - ${name}`
  execFileSync('sh', ['-c', script, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  return name
}
