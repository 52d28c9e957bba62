/** The API's limits for attachments (docs/api.md). The form shows them first, and refuses files beyond them itself. */
export const MOST_FILES = 5;
export const LARGEST_FILE_BYTES = 10 << 20;
export const LARGEST_FILES_BYTES = 29 << 20;
export const FILE_EXTENSIONS = 'pdf doc docx odt xlsx pptx txt png jpg jpeg zip'.split(' ');
export const LONGEST_LINE_CHARS = 200;
/** Room for pasted texts with invisible marks around them. */
export const LONGEST_NUMBER_CHARS = 20;
export const LONGEST_TEXT_CHARS = 10_000;
