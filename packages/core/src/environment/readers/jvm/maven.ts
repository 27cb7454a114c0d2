import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import { elementsOf, type Element } from '../../formats/xml-text.ts'
import type { Reading, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { javaNumber, wrapperVersion } from './jvm-words.ts'

const POM = 'pom.xml'

/**
 * Checks run without the network, so `setup` has to fetch everything, also what Maven requests only during tests: its
 * runners start and are told to run no test (tried with JUnit 4, 5 and TestNG, Surefire 2.12 to 3.5). Setup fails only
 * if the projects cannot be read; the verification reports a module that cannot be built.
 */
export function maven(folder: Folder): Reading {
  const call = folder.has('mvnw') ? 'sh ./mvnw' : 'mvn'
  const from = place(folder, folder.has('mvnw') ? 'mvnw' : POM)
  const text = folder.text(POM) ?? ''
  const phase = phaseOf(folder, text)
  const none = phase === 'verify' ? `${NO_TEST} ${NO_INTEGRATION_TEST}` : NO_TEST
  const pack = phase === 'test' ? phase : `${NO_PAGES} ${phase}`
  const build = `${call} -B -fae -Dmaven.test.failure.ignore=true ${none} ${pack}`
  return {
    tools: [
      ...javaOf(folder, text),
      ...toolClaim('maven', wrapperVersion(folder, '.mvn/wrapper/maven-wrapper.properties', 'maven'), from),
    ],
    commands: [
      ...commandClaim(folder, 'maven', 'setup', `{ ${build} || ${call} -B -q -o validate; }`, from),
      ...commandClaim(folder, 'maven', 'test', `${call} -B -o -fae ${pack}`, from),
    ],
    techStack: ['Java', 'Maven'],
  }
}

/** Javadoc tests nothing and fetches pages from other hosts; a module whose Javadoc fails is not packed. */
const NO_PAGES = '-Dmaven.javadoc.skip=true'

/** A method that no class has. The third word is Surefire's since 3.0, the second its older form. */
const NO_TEST = `'-Dtest=*#beadloomRunsNone' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false`
const NO_INTEGRATION_TEST = `'-Dit.test=*#beadloomRunsNone' -Dfailsafe.failIfNoSpecifiedTests=false`

/**
 * Modules may need each other packed (a jar of tests, a module of Java, a plugin), and Failsafe's tests run after
 * packing.
 */
function phaseOf(folder: Folder, text: string): 'test' | 'package' | 'verify' {
  const modules = ['module', 'subproject'].flatMap((name) => elementsOf(text, name)).map((one) => one.text)
  const poms = [text, ...modules.map((name) => folder.text(`${name}/${POM}`) ?? '')]
  if (poms.some((pom) => FAILSAFE.test(pom)) && folder.below(INTEGRATION_TEST, 1).length > 0) return 'verify'
  return modules.length > 0 ? 'package' : 'test'
}

const FAILSAFE =
  /<artifactId>\s{0,9}maven-failsafe-plugin\s{0,9}<(?:(?!<\/plugin>)[^]){0,3000}<goal>\s{0,9}integration-test\s{0,9}</
/** The names by which Failsafe finds tests. */
const INTEGRATION_TEST = /(?:^|\/)src\/test\/(?:.*\/)?(?:IT[^/]*|[^/]*IT|[^/]*ITCase)\.(?:java|kt|groovy)$/

/** In the order in which Maven itself prefers them; `java.version` is the name that Spring's parent gives it. */
const LEVELS = ['maven.compiler.release', 'release', 'java.version', 'maven.compiler.target', 'maven.compiler.source']
/** Tests may be written in a newer Java than what they test. */
const TESTS = ['maven.compiler.testRelease', 'testRelease', 'maven.compiler.testTarget', 'testTarget']

/** The newest Java that any of them needs: a level is only a minimum. */
function javaOf(folder: Folder, text: string): ToolClaim[] {
  const first = (names: readonly string[]) =>
    names.flatMap((name) => elementsOf(text, name)).flatMap((one) => numberOf(text, one))[0]
  const needed = [first(LEVELS), first(TESTS), ...required(text).flatMap((one) => numberOf(text, one))]
  const newest = needed
    .filter((one) => one !== undefined)
    .reduce<Needed | null>((best, one) => (best === null || Number(one.java) > Number(best.java) ? one : best), null)
  return toolClaim('java', newest?.java ?? null, place(folder, POM, newest?.line ?? null), { least: newest !== null })
}

type Needed = { java: string; line: number }

/** `[17,)` is 17; a property is looked up. */
function numberOf(text: string, { text: value, line }: Element): Needed[] {
  const named = /^\$\{([\w.-]{1,60})\}$/.exec(value)?.[1]
  const said = named === undefined ? value : (elementsOf(text, named)[0]?.text ?? '')
  const version = /^[[(]?\s{0,3}(\d[\d.]{0,10})/.exec(said)?.[1]
  return version === undefined ? [] : [{ java: javaNumber(version), line }]
}

/** The version that the enforcer demands. */
function required(text: string): Element[] {
  const [, before = '', version = ''] =
    /(<requireJavaVersion>(?:(?!<\/requireJavaVersion>)[^]){0,500}?<version>)([^<]{1,40})</.exec(text) ?? []
  return version === '' ? [] : [{ text: version.trim(), line: lineAt(text, text.indexOf(before) + before.length) }]
}
