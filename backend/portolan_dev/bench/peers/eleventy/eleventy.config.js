import fs from 'node:fs';

const CONTENT = `${process.env.CONTENT}/en`;
const read = (name) => JSON.parse(fs.readFileSync(`${CONTENT}/${name}`, 'utf8'));

export default function configure(eleventy) {
  eleventy.addGlobalData('site', () => read('site.json'));
  eleventy.addGlobalData('pages', () => fs.readdirSync(`${CONTENT}/pages`).map((name) => read(`pages/${name}`)));
  eleventy.addPassthroughCopy({ 'src/site.css': 'site.css', 'src/site.js': 'site.js' });
  eleventy.setQuietMode(true);
  return { dir: { input: 'src', output: 'out' } };
}
