import { NOT_COPIED_IN } from '../../files/folders-of-others.ts'
import type { Folder } from '../../files/repository-files.ts'
import { packagesFor } from '../../toolchains/debian-libraries.ts'

/** The calls by which builds ask for libraries and programs that they need; the first group has the names. */
const ASKED: readonly { file: RegExp; calls: readonly RegExp[] }[] = [
  {
    file: /(?:^|\/)meson\.build$/,
    calls: [
      /\b(?:dependency|find_program)\s{0,5}\(\s{0,20}'([^']{1,60})'(?![^()]{0,300}\brequired\s{0,5}:\s{0,5}false)/g,
    ],
  },
  {
    file: /(?:^|\/)CMakeLists\.txt$/,
    calls: [
      /\bfind_package\s{0,5}\(\s{0,20}(\w{1,60})\s(?=[^()]{0,300}\bREQUIRED\b)/gi,
      /\bpkg_(?:check_modules|search_module)\s{0,5}\(\s{0,20}\w{1,60}\s(?=[^()]{0,300}\bREQUIRED\b)([^()]{1,300})\)/gi,
    ],
  },
  {
    file: /^configure\.(?:ac|in)$/,
    calls: [/\bPKG_CHECK_MODULES\s{0,5}\(\s{0,20}\[?\w{1,60}\]?\s{0,20},\s{0,20}\[?([^\],()]{1,300})/g],
  },
]

const BELOW = new RegExp(
  String.raw`^${NOT_COPIED_IN}(?:(?:.*/)?(?:meson\.build|CMakeLists\.txt)|configure\.(?:ac|in))$`,
  'i',
)
const MOST_FILES = 40
const MOST = 20

/** The names of known libraries, so that the image gets them. */
export function librariesOf(folder: Folder): string[] {
  const names = folder.below(BELOW, MOST_FILES).flatMap((file) => {
    const text = folder.text(file) ?? ''
    const calls = ASKED.find((one) => one.file.test(file))?.calls ?? []
    return calls.flatMap((call) => [...text.matchAll(call)].flatMap(([, words = '']) => words.split(/[\s,]+/)))
  })
  return [...new Set(names)].filter((name) => packagesFor(name).length > 0).slice(0, MOST)
}
