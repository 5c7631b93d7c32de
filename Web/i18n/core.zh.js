/** @type {import("../core/i18n.js").Catalogue} */
export default {
  "app.skip": "跳到内容",
  "app.slogan": "向任何手机发短信：收下、送达、有据可查。",
  "app.opening": "正在打开…",
  "app.noscript": "Switchboard 需要 JavaScript，且只用自己的脚本。",
  "app.cancel": "取消",
  "app.done": "完成",
  "app.edit": "编辑",
  "app.back": "返回",
  "app.close": "关闭",
  "app.save": "保存",
  "app.delete": "删除",
  "app.retry": "重试",
  "app.details": "详情",
  "app.offline": "离线",
  "error.network": "无法连接服务器。内容没有丢失，有网络时请重试。",
  "error.other": "服务器出了问题。您写的内容没有丢失，请稍后重试。",
};
