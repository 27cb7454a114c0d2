/** The messages of compilers and package managers that are too new, or too old, for their input. */
const WORDS =
  /\b(?:source|target) option \d{1,3} is no longer supported|\binvalid (?:source|target) release\b|\brelease version \d{1,3} not supported|\bcompiled by a more recent version of the Java Runtime|\brequires (?:a different )?(?:rustc|go|node|python|java|ruby|php)\b|\bunsupported engine\b|\bEBADENGINE\b|\bmodule requires go\b|\bfeature `edition\d{4}` is required/i

/** Whether an output says that a toolchain has another version than the code needs. */
export const isOfAVersion = (output: string): boolean => WORDS.test(output)
