// Pictures and videos on behalf of a program that drives this page, each picture at an exact time of the run.
import {applyHash} from './link.js';
import {png, Video} from './save.js';
import {VIEWS} from './view/camera.js';

/** The bytes of a file as text. */
const base64 = (blob) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
  reader.readAsDataURL(blob);
});

export class Recorder {
  #video = null;

  /** @param picture a ViewPicture of the page's view */
  constructor(page, picture) {
    Object.assign(this, {page, picture});
  }

  /** Lets the view fill the window.
   *  @param camera a standard view, or what stands behind the # of a link; empty: as the page opens
   *  @returns the span of the run, and the speed at which one can watch it */
  begin(camera) {
    const {view, player} = this.page;
    document.documentElement.classList.add('recorded');
    view.resize();
    if (Object.hasOwn(VIEWS, camera)) view.home(camera);
    else if (camera) applyHash(this.page, `#${camera}`);
    this.picture.fit();
    const {start, end, speed} = player;
    return {start, end, speed};
  }

  #show(time) {
    this.page.player.seek(time);
    this.page.view.render();
    return this.picture.draw();
  }

  /** The view at a time as a PNG file in base64. */
  async still(time) {
    return base64(await png(this.#show(time)));
  }

  /** Begins a video of so many pictures a second. */
  async film(rate) {
    this.#video = await Video.of(this.picture.canvas, rate);
  }

  add(time) {
    return this.#video.add(this.#show(time));
  }

  /** The video as a WebM file in base64. */
  async finish() {
    return base64(await this.#video.finish());
  }
}
