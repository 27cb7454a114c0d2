import { commandClaim, place, toolClaim } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import { elementsOf } from '../formats/xml-text.ts'
import type { Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../repository-files.ts'

const POM = 'pom.xml'
const BUILD_FILES = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle']

/** Maven or Gradle; a project that has both is built by the one whose wrapper is there. */
export function jvm(folder: Folder): Reading | null {
  const builds = BUILD_FILES.filter((name) => folder.has(name))
  const maven = folder.has(POM) && !(builds.length > 0 && folder.has('gradlew') && !folder.has('mvnw'))
  if (maven) return mavenProject(folder)
  return builds.length > 0 ? gradleProject(folder, builds) : null
}

/**
 * `test` works without the network, so `setup` has to have fetched everything, also what Maven only asks for while it
 * tests: it tests once, and failures are for the verification to tell.
 */
function mavenProject(folder: Folder): Reading {
  const call = folder.has('mvnw') ? 'sh ./mvnw' : 'mvn'
  const from = place(folder, folder.has('mvnw') ? 'mvnw' : POM)
  return {
    tools: [
      ...javaOfPom(folder),
      ...toolClaim('maven', wrapperVersion(folder, '.mvn/wrapper/maven-wrapper.properties', 'maven'), from),
    ],
    commands: [
      ...commandClaim(folder, 'maven', 'setup', `${call} -B -fae -Dmaven.test.failure.ignore=true test`, from),
      ...commandClaim(folder, 'maven', 'test', `${call} -B -o test`, from),
    ],
    techStack: ['Java', 'Maven'],
  }
}

/** In the order in which Maven itself prefers them; `java.version` is the name that Spring's parent gives it. */
const RELEASES = ['maven.compiler.release', 'release', 'java.version', 'maven.compiler.target', 'maven.compiler.source']

function javaOfPom(folder: Folder): ToolClaim[] {
  const text = folder.text(POM) ?? ''
  const properties = new Map<string, string>()
  for (const name of RELEASES) {
    for (const { text: value, line } of elementsOf(text, name)) {
      const named = /^\$\{([\w.-]{1,60})\}$/.exec(value)?.[1]
      const version = named === undefined ? value : (properties.get(named) ?? elementsOf(text, named)[0]?.text)
      if (version !== undefined && /^\d/.test(version))
        return toolClaim('java', javaVersion(version), place(folder, POM, line), { least: true })
    }
  }
  return toolClaim('java', null, place(folder, POM))
}

/** `1.8` has been called 8 since. */
const javaVersion = (version: string): string => version.replace(/^1\.(?=[5-9]$)/, '')

function gradleProject(folder: Folder, builds: readonly string[]): Reading {
  const call = folder.has('gradlew') ? 'sh ./gradlew' : 'gradle'
  const from = place(folder, folder.has('gradlew') ? 'gradlew' : (builds[0] ?? ''))
  const kotlin = builds.some((name) => name.endsWith('.kts')) || folder.names.some((name) => name.endsWith('.kt'))
  return {
    tools: [
      ...javaOfGradle(folder, builds),
      ...toolClaim('gradle', wrapperVersion(folder, 'gradle/wrapper/gradle-wrapper.properties', 'gradle'), from),
    ],
    commands: [
      ...commandClaim(folder, 'gradle', 'setup', `${call} --no-daemon --continue test || true`, from),
      ...commandClaim(folder, 'gradle', 'test', `${call} --no-daemon --offline test`, from),
    ],
    techStack: [kotlin ? 'Java or Kotlin' : 'Java', 'Gradle'],
  }
}

/** A toolchain is the version to take; compatibility is the oldest that the result runs on. */
const TOOLCHAINS = [/JavaLanguageVersion\.of\(\s{0,5}["']?(\d{1,3})/, /jvmToolchain\(\s{0,5}(\d{1,3})/]
const COMPATIBILITY = [
  /(?:source|target)Compatibility\s{0,5}=?\s{0,5}(?:JavaVersion\.VERSION_)?["']?((?:1[._])?\d{1,3})/,
  /options\.release(?:\.set\(|\s{0,5}=)\s{0,5}(\d{1,3})/,
]

function javaOfGradle(folder: Folder, builds: readonly string[]): ToolClaim[] {
  for (const [patterns, least] of [
    [TOOLCHAINS, false],
    [COMPATIBILITY, true],
  ] as const)
    for (const file of builds)
      for (const [at, line] of linesOf(folder.text(file) ?? '').entries())
        for (const pattern of patterns) {
          const version = pattern.exec(line.slice(0, 500))?.[1]?.replace('_', '.')
          if (version !== undefined)
            return toolClaim('java', javaVersion(version), place(folder, file, at + 1), { least })
        }
  return toolClaim('java', null, place(folder, builds[0] ?? ''))
}

/** Out of `distributionUrl=…/gradle-8.7-bin.zip`; null: any. */
function wrapperVersion(folder: Folder, file: string, tool: 'maven' | 'gradle'): string | null {
  const line = linesOf(folder.text(file) ?? '').find((one) => one.startsWith('distributionUrl'))
  const [, found = null] = new RegExp(`${tool}-(\\d[\\d.]{0,20}\\d)`).exec(line?.slice(0, 500) ?? '') ?? []
  return found
}
