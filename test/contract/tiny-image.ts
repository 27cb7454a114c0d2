import { execFileSync } from 'node:child_process'

/** Programs of this machine that the image contains, with the libraries that they need. */
const programs = ['/bin/sh', '/bin/cat', '/usr/bin/sha256sum', '/usr/bin/sleep']

/**
 * Makes an image with little more than a shell, in the engine that `docker ARGS` reaches; returns its name.
 *
 * @param tag one for each test file: if two files share a name, the image is gone when one of them removes it
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
